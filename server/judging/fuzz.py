"""Play hands of legal actions by the thousand, and check at every step what must hold at all times.

A policy chooses for all seats from what a bot would see. Every hand becomes a record, so that a fault can be replayed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import msgspec
from msgspec import Struct

from server.judging.judge import POSITIONS
from server.judging.varied import varied
from server.rules.actions import Add, AnyAction, Discard, Draw, Exchange, Lay, Meld, Swap
from server.rules.cards import JOKER, Card, face
from server.rules.conker_choices import most_actions as most_of_conker
from server.rules.conquian_choices import most_actions as most_of_conquian
from server.rules.events import Reshuffled
from server.rules.game import Legal
from server.rules.konken_choices import most_actions
from server.rules.notation import PLAIN, action_text, cards_text, parse_action
from server.rules.record_reader import parse_records
from server.rules.records import RESHUFFLE, Entry, HandRecord, record
from server.rules.refusal import Code, Refused
from server.rules.registry import AnyRules, rules_of
from server.rules.replay import replay
from server.rules.result import Result
from server.rules.shuffle import SEED_BYTES, commitment, entropy

Policy = Callable[[Any, Sequence[AnyAction], Any, Random], AnyAction]
"""Chooses one of the legal actions, given a seat's view and the options; as the bots do."""

BOUNDS: dict[str, Callable[[Any], int]] = {
    "konken": most_actions,
    "conker": most_of_conker,
    "conquian": most_of_conquian,
}
KINDS = {"lay": Lay, "add": Add, "swap": Swap, "discard": Discard, "meld": Meld, "exchange": Exchange}
"""Actions that are more than a word, by their verb."""
SAMPLE = 6
"""Legal actions and unlisted ones tried at each step: all would take most of the time, and other steps try others."""


def nobody_gains_what_nobody_loses(result: Result) -> bool:
    """Points go from seat to seat."""
    return sum(result.points) == 0


def points_on_one_side(result: Result) -> bool:
    """Conker: the winner's points or the losers', by how the table scores; none for a hand without winner."""
    theirs = [points for seat, points in enumerate(result.points) if seat not in result.winners]
    own = [result.points[seat] for seat in result.winners]
    return min(result.points) >= 0 and (not any(theirs) or (result.winners != () and not any(own)))


SQUARE: dict[str, Callable[[Result], bool]] = {
    "konken": nobody_gains_what_nobody_loses,
    "conker": points_on_one_side,
    "conquian": nobody_gains_what_nobody_loses,
}


class Fault(Exception):
    """Something that must hold did not."""


class Report(Struct, frozen=True):
    """What a run came to. `faults` are texts with the seed and the record to replay."""

    hands: int
    actions: int
    seconds: float
    endings: dict[str, int]
    faults: tuple[str, ...]

    def __str__(self) -> str:
        endings = ", ".join(f"{count} {ending}" for ending, count in sorted(self.endings.items()))
        per_hand = self.actions / max(1, self.hands)
        return (
            f"{self.hands} hands, {len(self.faults)} faults "
            f"({endings or 'none ended'}; {per_hand:.0f} actions a hand; {self.seconds:.1f} s)"
        )


# ---- policies ----------------------------------------------------------------------------------------------


def play_at_random(view: Any, legal: Sequence[AnyAction], options: Any, chance: Random) -> AnyAction:
    """Any legal action; a discard only now and then while something could still go to the table."""
    busy = [action for action in legal if not isinstance(action, Discard)]
    return chance.choice(busy if busy and chance.randrange(4) else legal)


def play_greedily(view: Any, legal: Sequence[AnyAction], options: Any, chance: Random) -> AnyAction:
    """Whatever puts most cards on the table; else draw from the stock, throw the highest card."""
    best = max(map(_cards_laid, legal))
    return chance.choice([action for action in legal if _cards_laid(action) == best])


POLICIES: dict[str, Policy] = {"random": play_at_random, "greedy": play_greedily}


def _cards_laid(action: AnyAction) -> int:
    match action:
        case Lay():
            return 100 * sum(map(len, action.melds))
        case Add():
            return 100 * len(action.cards)
        case Swap(then=None):
            return 100
        case Swap():
            return 100 + (_cards_laid(action.then) if action.then else 0)
        case Discard():
            return "A23456789TJQK".find(action.card[0])
        case Draw():
            return 1
        case Meld():
            return 100 * sum(map(len, action.melds))
        case _:
            return 0


# ---- running -----------------------------------------------------------------------------------------------


def fuzz(
    game: str,
    hands: int,
    seed: str,
    options: Any,
    policy: Policy,
    folder: Path | None = None,
    seats: Sequence[Policy] = (),
    vary: bool = False,
) -> Report:
    """Play so many hands. `seats` may give each seat its own policy; `folder` gets a record of every hand.

    With `vary` every hand has options of its own, presets or random, beside those that are not at their defaults.
    """
    endings: Counter[str] = Counter()
    actions, faults, begun = 0, [], perf_counter()
    for number in range(1, hands + 1):
        name = f"{seed}/{number}"
        own = varied(game, _differing(options), Random(name)) if vary else options  # noqa: S311 - repeatable
        run = _Run(rules_of(game), game, own, seats or [policy], name, number)
        try:
            run.play()
            endings[run.ending] += 1
        except (Fault, Refused, ArithmeticError, LookupError, ValueError, AssertionError) as wrong:
            told = f"fault in hand {number} of seed {seed}: {type(wrong).__name__}: {wrong}"
            faults.append(f"{told}\n{run.text()}")
        actions += len(run.log)
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            file = f"{game}-{seed}-{number:05d}.txt".replace("/", "_")
            (folder / file).write_text(run.text(), encoding="utf-8")
    return Report(hands, actions, perf_counter() - begun, dict(endings), tuple(faults))


class _Run:
    """One hand from the deal to its end."""

    def __init__(
        self, rules: AnyRules, game: str, options: Any, policies: Sequence[Policy], name: str, number: int
    ) -> None:
        self.rules, self.game, self.options, self.policies, self.number = (
            rules,
            game,
            options,
            policies,
            number,
        )
        self.chance = Random(name)  # noqa: S311 - it has to be repeatable, not secret
        self.seed = self.chance.randbytes(SEED_BYTES)
        self.nonces = tuple(f"{self.chance.getrandbits(32):08x}" for _ in range(rules.seats(options)))
        self.dealer = self.chance.randrange(rules.seats(options))
        self.entropy = entropy(self.seed, self.nonces)
        self.hand, _ = rules.deal(options, self.entropy, self.dealer)
        self.log: list[Entry] = []

    @property
    def ending(self) -> str:
        result = self.rules.result(self.hand)
        return result.ending if result else "unfinished"

    def play(self) -> None:
        """Play to the end. Raises Fault."""
        pack = _cards_of(self.game, self.hand)
        bound = BOUNDS[self.game](self.options)
        while deciders := self.rules.deciders(self.hand):
            if len(self.log) >= bound:
                raise Fault(f"no end after {bound} actions")
            self._step(self.chance.choice(deciders))
            if _cards_of(self.game, self.hand) != pack:
                raise Fault("cards were lost or made")
        self._check_end()

    def _step(self, seat: int) -> None:
        legal = self.rules.legal(self.hand, seat)
        if not legal:
            raise Fault(f"seat {seat} is asked and has no legal action")
        menu = self.rules.menu(self.hand, seat)
        self._check_menus(seat, legal, menu)
        policy = self.policies[seat % len(self.policies)]
        action = policy(self.rules.view(self.hand, seat), legal, self.options, self.chance)
        for tried in [action, *self.chance.choices(legal, k=SAMPLE)]:
            self._check_action(seat, tried)
        self.hand, events = self.rules.apply(self.hand, seat, action)
        stocks = [event.stock for event in events if isinstance(event, Reshuffled) and event.stock]
        self.log += [Entry(None, f"{RESHUFFLE} {cards_text(stock)}") for stock in stocks]
        self.log.append(Entry(seat, action_text(action)))
        encoded = msgspec.json.encode(self.hand)
        if msgspec.json.decode(encoded, type=type(self.hand)) != self.hand:
            raise Fault("JSON does not bring the hand back")

    def _check_action(self, seat: int, action: AnyAction) -> None:
        """A legal action is accepted, twice with the same outcome, and its text means the same."""
        text = action_text(action)
        if parse_action(text) != action:
            raise Fault(f"the text does not bring `{text}` back")
        try:
            if self.rules.apply(self.hand, seat, action) != self.rules.apply(self.hand, seat, action):
                raise Fault(f"`{seat}: {text}` has two outcomes")
        except Refused as refused:
            raise Fault(f"`{seat}: {text}` is listed as legal and refused: {refused.code}") from None

    def _check_menus(self, seat: int, legal: Sequence[AnyAction], menu: Legal) -> None:
        """What a frame says agrees with what `apply` does."""
        for other in range(self.rules.seats(self.options)):
            if other not in self.rules.deciders(self.hand):
                said = self.rules.menu(self.hand, other)
                self._check_words(other, said)
                codes = {why and why.code for why in said.verbs.values()}
                if len(codes) != 1 or None in codes or self.rules.legal(self.hand, other):
                    raise Fault(f"the menu of seat {other}, which is not asked, says {codes}")
        self._check_words(seat, menu)
        hand = dict.fromkeys(POSITIONS[self.game].facts(self.hand).hands[seat])
        self._check_discards(seat, menu, list(hand))
        self._check_adds(seat, menu, list(hand))
        listed = {(action.card, action.meld) for action in legal if isinstance(action, Swap)}
        if listed != {(card, meld) for card, melds in menu.swap.items() for meld in melds}:
            raise Fault(f"the menu's swaps are {menu.swap}, the legal ones {sorted(listed)}")
        for verb, why in menu.verbs.items():
            kind = KINDS.get(verb)
            if why is not None and kind is not None and any(isinstance(action, kind) for action in legal):
                raise Fault(f"the menu says {why} for a legal `{verb}`")

    def _check_words(self, seat: int, menu: Legal) -> None:
        """For actions of one word the menu gives the very reason why they are refused."""
        for verb, why in menu.verbs.items():
            if verb in PLAIN and self._code(seat, PLAIN[verb]) != (why and why.code):
                raise Fault(f"the menu of seat {seat} says {why} for `{verb}`")

    def _check_discards(self, seat: int, menu: Legal, hand: list[Card]) -> None:
        accepted = tuple(card for card in hand if self._code(seat, Discard(card)) is None)
        if accepted != menu.discard:
            raise Fault(f"the menu lets throw {menu.discard}, and it may be {accepted}")

    def _check_adds(self, seat: int, menu: Legal, hand: list[Card]) -> None:
        """What is listed is accepted, and a few that are not listed are refused."""
        table = [meld.id for meld in POSITIONS[self.game].facts(self.hand).table]
        tried = [(card, meld) for card, melds in menu.add.items() for meld in melds]
        if hand and table:
            tried += [(self.chance.choice(hand), self.chance.choice(table)) for _ in range(SAMPLE)]
        for card, meld in tried:
            listed = meld in menu.add.get(card, ())
            if listed != (self._code(seat, Add(meld, (card,))) is None):
                raise Fault(f"the menu says {listed} for `add {card} to {meld}`")

    def _code(self, seat: int, action: AnyAction) -> Code | None:
        """Why an action is refused; None if it is not."""
        try:
            self.rules.apply(self.hand, seat, action)
        except Refused as refused:
            return refused.code
        return None

    def _check_end(self) -> None:
        """Points are square, nobody may act, and the record replays to the same hand."""
        result = self.rules.result(self.hand)
        if result is None or not SQUARE[self.game](result):
            raise Fault(f"the result is {result}")
        if self._code(0, Draw()) != Code.HAND_OVER:
            raise Fault("the hand goes on after its end")
        located = parse_records(self.text())[0]
        if replay(located) != self.hand:
            raise Fault("the record does not replay to the same hand")
        if replay(located, verify=False).result != result:
            raise Fault("without its seed the record does not replay to the same result")

    def text(self) -> str:
        """The record of the hand as far as it went."""
        layout = self.rules.layout(self.options, self.entropy, self.dealer)
        result = self.rules.result(self.hand)
        seats = range(self.rules.seats(self.options))
        return record(
            HandRecord(
                game=self.game,
                options=_differing(self.options),
                players=tuple(f"Seat {seat}" for seat in seats),
                hand=self.number,
                dealer=self.dealer,
                commit=commitment(self.seed),
                deal=layout.hands,
                turned=layout.upcard,
                stock=layout.stock,
                log=tuple(self.log),
                winners=result.winners if result else (),
                points=result.points if result else (0,) * len(seats),
                seed=self.seed.hex(),
                nonces=self.nonces,
                void="" if result else "- unfinished",
            )
        )


def _differing(options: Any) -> dict[str, int | str]:
    """The options that are not the defaults."""
    found: dict[str, int | str] = msgspec.to_builtins(options)
    del found["game"]
    return found


def _cards_of(game: str, hand: Any) -> Counter[Card]:
    """Every card of a hand, wherever it lies; a Joker that waits for its use is in no other place."""
    facts = POSITIONS[game].facts(hand)
    cards = Counter(card for own in facts.hands for card in own)
    cards.update([*facts.stock, *facts.discard, *facts.burned])
    cards.update(face(card) for meld in facts.table for card in meld.cards)
    cards.update([JOKER] if facts.pending is not None else [])
    cards.update([facts.centre["card"]] if facts.centre is not None else [])
    return cards
