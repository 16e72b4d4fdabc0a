"""A replayed record in plain English: the deal, each line and what it did, the table as it changes, and the points.

Lines of text, for `upcard replay`. Card and meld texts are the notation's, so that they can be found in the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from server.judging.cases import Facts
from server.judging.judge import POSITIONS
from server.rules.cards import RANKS, SUITS, Card, is_joker
from server.rules.events import (
    Added,
    AnyEvent,
    Burned,
    Dealt,
    Died,
    Discarded,
    Drew,
    ExchangeChosen,
    ExchangeMade,
    Forced,
    HandEnded,
    JokerTaken,
    Laid,
    Melded,
    Passed,
    Reshuffled,
    Swapped,
    Took,
    TurnedUp,
    Waived,
)
from server.rules.notation import cards_text
from server.rules.records import LOST, RESHUFFLE, Entry, HandRecord
from server.rules.replay import Move, Replayed
from server.rules.result import Result

ACTION_WIDTH = 24
"""Columns for an action; what a longer one did stands below it."""
INDENT = " " * 7
"""Under the actions, beside the line numbers."""
ENDINGS = {
    "out": "went out",
    "stock": "the stock is out",
    "void": "void, nobody scores",
    "draw": "drawn, nobody pays",
    "left": "somebody left",
}
NOTED = {
    "bot": "a bot plays for {name} from here",
    "back": "{name} plays again",
    "left": "{name} leaves for good",
    "forfeit": "{name} forfeits",
    "sit": "{name} sits down as seat {seat}, with a total of 0",
}
"""What befell a seat, by the word in the log."""


def narrated(found: Replayed) -> Iterator[str]:
    """A hand's lines, up to the one that is wrong if one is."""
    record = found.hand.record
    names = [shown(name) for name in record.players]
    yield _headline(record)
    if record.void == LOST:
        yield from (_line(move, names) for move in found.moves)
        yield f"{INDENT}lost with its table"
    elif found.begun is not None:
        facts = POSITIONS[record.game].facts
        yield from _deal(record, names, facts(found.begun))
        yield from _course(found, names)
    if found.problem is None:
        yield from _ending(found, names)


def shown(text: str) -> str:
    """Somebody's words, without what could steer a terminal."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def in_order(cards: Sequence[Card]) -> str:
    """Cards of a hand by suit and rank, Jokers last."""
    return cards_text(tuple(sorted(cards, key=_place))) or "nothing"


def _place(card: Card) -> tuple[int, int]:
    return (len(SUITS), 0) if is_joker(card) else (SUITS.index(card[1]), RANKS.index(card[0]))


# ---- the deal ----------------------------------------------------------------------------------------------


def _headline(record: HandRecord) -> str:
    options = "".join(f", {name} {shown(str(value))}" for name, value in sorted(record.options.items()))
    return f"{record.game.capitalize()}, hand {record.hand}{options}"


def _deal(record: HandRecord, names: Sequence[str], facts: Facts) -> Iterator[str]:
    first = names[(record.dealer + 1) % len(names)]
    yield f"{INDENT}{names[record.dealer]} deals, {first} begins"
    width = max(map(len, names))
    for seat, cards in enumerate(record.deal):
        yield f"{INDENT}{seat} {names[seat]:<{width}}  {in_order(cards)}"
    turned = "" if record.turned is None else f"{record.turned} is turned up, "
    yield f"{INDENT}{turned}{len(record.stock)} cards in the stock"
    if facts.centre is not None:
        yield f"{INDENT}{names[facts.centre['by']]} turns up {facts.centre['card']}"


# ---- the course --------------------------------------------------------------------------------------------


def _course(found: Replayed, names: Sequence[str]) -> Iterator[str]:
    facts = POSITIONS[found.hand.record.game].facts
    before = facts(found.begun)
    for move in found.moves:
        after = facts(move.hand)
        yield _line(move, names)
        for seat in _changed(move, len(names)):
            yield f"{INDENT}{names[seat]} keeps {in_order(after.hands[seat])}"
        if (after.table, after.tables) != (before.table, before.tables):
            yield from _table(after, names)
        before = after


def _changed(move: Move, seats: int) -> Iterator[int]:
    """The seats whose hand is worth a line now: who ends a turn, and both after an exchange."""
    for event in move.events:
        if isinstance(event, Discarded):
            yield event.seat
        elif isinstance(event, ExchangeMade):
            yield from range(seats)


def _line(move: Move, names: Sequence[str]) -> str:
    entry = move.entry
    if entry.seat is None:
        return f"{move.line:>5}  {_noted(entry, names)}"
    text = f"{entry.seat}: {entry.text}"
    told = "; ".join(sentence for event in move.events if (sentence := narrated_event(event, names)))
    said = f" ({shown(entry.comment)})" if entry.comment else ""
    gap = " " * (ACTION_WIDTH - len(text)) if len(text) <= ACTION_WIDTH else f"\n{INDENT}{' ' * ACTION_WIDTH}"
    return f"{move.line:>5}  {text}{gap} {told}{said}"


def _noted(entry: Entry, names: Sequence[str]) -> str:
    """A line of what befell a seat or the stock."""
    word, _, rest = entry.text.partition(" ")
    if word == RESHUFFLE:
        return f"the discards but for the top one become the new stock: {rest}"
    seat = int(rest.partition(" ")[0])
    return NOTED[word].format(name=names[seat], seat=seat)


def _table(facts: Facts, names: Sequence[str]) -> Iterator[str]:
    if facts.tables is None:
        yield f"{INDENT}table  {_melds([(meld.id, meld.cards) for meld in facts.table])}"
        return
    for seat, melds in enumerate(facts.tables):
        if melds:
            yield f"{INDENT}{names[seat]}'s table  {' / '.join(map(cards_text, melds))}"


def _melds(melds: Sequence[tuple[int, tuple[str, ...]]]) -> str:
    return "   ".join(f"{number}: {cards_text(cards)}" for number, cards in melds) or "empty"


def narrated_event(event: AnyEvent, names: Sequence[str]) -> str:
    """What happened, in a sentence without its full stop; empty for what is told elsewhere."""
    match event:
        case Drew():
            return f"{names[event.seat]} draws {event.card}"
        case Took():
            return f"{names[event.seat]} takes {event.card} from the discards"
        case Laid():
            return f"meld {event.meld} is {cards_text(event.cards)}"
        case Added():
            return f"{cards_text(event.cards)} joins meld {event.meld}"
        case Swapped():
            more = f", and {cards_text(event.extend)} lengthens it" if event.extend else ""
            return f"{event.card} takes the Joker's place in meld {event.meld}{more}"
        case JokerTaken():
            return f"the Joker goes to {names[event.seat]}'s hand"
        case Burned():
            return f"meld {event.meld} is complete and burns: {cards_text(event.cards)}"
        case Reshuffled():
            return f"{event.count} discards become the new stock"
        case Discarded():
            return f"{names[event.seat]} throws {event.card}"
        case _:
            return _narrated_centre(event, names)


def _narrated_centre(event: AnyEvent, names: Sequence[str]) -> str:
    """The same for what happens in Conquian only."""
    match event:
        case TurnedUp():
            return f"{names[event.seat]} turns up {event.card}"
        case Melded():
            more = f" with {cards_text(event.from_hand)} from the hand" if event.from_hand else ""
            return f"{names[event.seat]} melds {event.card}{more}"
        case Passed():
            return f"{names[event.seat]} passes {event.card}"
        case Forced():
            return f"{names[event.seat]} has to meld {event.card}"
        case Waived():
            return f"{names[event.seat]} does not force it"
        case Died():
            return f"{event.card} is dead"
        case ExchangeChosen():
            return f"{names[event.seat]} chooses {event.card} to give away"
        case ExchangeMade():
            return "the chosen cards change hands"
        case HandEnded():
            return "the hand is over"
        case Dealt():
            return f"{names[event.first]} begins"
        case _:
            raise AssertionError(f"nothing is known to say of {event}")


# ---- the end -----------------------------------------------------------------------------------------------


def _ending(found: Replayed, names: Sequence[str]) -> Iterator[str]:
    record = found.hand.record
    if found.result is not None:
        yield from _score(found.result, found.totals, names)
    elif record.void != LOST:
        yield f"{INDENT}void: {record.void.partition(' ')[2]}"
    if record.match is not None:
        winners, totals = record.match
        won = ", ".join(names[seat] for seat in winners) or "nobody"
        yield f"{INDENT}The match goes to {won}: {' '.join(map(str, totals))}"


def _score(result: Result, totals: tuple[int, ...] | None, names: Sequence[str]) -> Iterator[str]:
    """How the hand ended, then a row a seat: points, the match's total where it is known, and what was left."""
    won = ", ".join(names[seat] for seat in result.winners)
    yield f"{INDENT}Result: {won + ', ' if won else ''}{ENDINGS[result.ending]}"
    width = max(map(len, names))
    for seat, points in enumerate(result.points):
        total = "" if totals is None else f"{totals[seat]:>7}"
        penalty = f" ({result.penalties[seat]})" if any(result.penalties) else ""
        left = in_order(result.hands[seat]) if result.hands[seat] else "no cards"
        yield f"{INDENT}{seat} {names[seat]:<{width}} {points:>+6}{total}  {left}{penalty}"
