"""Notation: cards, melds and actions as text, both ways.

What is parsed is well formed, and nothing more: whether it may be played is for the game to say.
"""

from __future__ import annotations

import re

from server.rules.actions import (
    Add,
    AnyAction,
    Discard,
    Draw,
    End,
    Exchange,
    Force,
    Lay,
    Meld,
    Pass,
    Swap,
    Take,
    Waive,
)
from server.rules.cards import Card, Placed

CARD = re.compile(r"[A2-9TJQK][SHDC]|JK")
PLACED = re.compile(r"[A2-9TJQK][SHDC]|JK(?:=[A2-9TJQK][SHDC])?")
NUMBER = re.compile(r"[0-9]{1,9}")
LINE = re.compile(r"(?P<seat>[0-9]): (?P<rest>\S.*)")
ADD = re.compile(r"add (?P<cards>.+) to (?P<meld>\S+)(?: (?P<end>low|high))?")
SWAP = re.compile(r"swap (?P<card>\S+) in (?P<meld>\S+)(?: with (?P<extend>.+?))?(?: then (?P<then>.+))?")


class NotationError(ValueError):
    """Text that is no notation. `line` is its number in the file, from 1, where there is one."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message if line is None else f"line {line}: {message}")
        self.message = message
        self.line = line


# ---- cards -------------------------------------------------------------------------------------------------


def parse_card(text: str) -> Card:
    """A card as it lies in a hand: `7H` or `JK`."""
    if not CARD.fullmatch(text):
        raise NotationError(f"no card: {text!r}")
    return text


def parse_placed(text: str) -> Placed:
    """A card of a meld: also `JK=QS`."""
    if not PLACED.fullmatch(text):
        raise NotationError(f"no card: {text!r}")
    return text


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards with spaces between them; none for an empty text."""
    return tuple(parse_card(word) for word in text.split())


def parse_meld(text: str) -> tuple[Placed, ...]:
    """The cards of a meld, left to right."""
    return tuple(parse_placed(word) for word in text.split())


def cards_text(cards: tuple[Placed, ...]) -> str:
    """Cards or a meld as text."""
    return " ".join(cards)


def parse_number(text: str) -> int:
    """A whole number of at least 0."""
    if not NUMBER.fullmatch(text):
        raise NotationError(f"no number: {text!r}")
    return int(text)


# ---- actions -----------------------------------------------------------------------------------------------


PLAIN: dict[str, AnyAction] = {
    "draw": Draw(),
    "take": Take(),
    "pass": Pass(),
    "force": Force(),
    "waive": Waive(),
}
"""Actions that are one word."""


def action_text(action: AnyAction) -> str:
    """An action in the notation."""
    match action:
        case Draw():
            return "draw"
        case Take():
            return "take"
        case Lay():
            return f"lay {' / '.join(map(cards_text, action.melds))}"
        case Add():
            end = f" {action.end}" if action.end else ""
            return f"add {cards_text(action.cards)} to {action.meld}{end}"
        case Swap():
            extend = f" with {cards_text(action.extend)}" if action.extend else ""
            then = f" then {action_text(action.then)}" if action.then else ""
            return f"swap {action.card} in {action.meld}{extend}{then}"
        case Discard():
            return f"discard {action.card}{' force' if action.force else ''}"
        case Meld():
            return f"meld {' / '.join(map(cards_text, action.melds))}"
        case Exchange():
            return f"exchange {action.card}"
        case Pass():
            return "pass"
        case Force():
            return "force"
        case Waive():
            return "waive"


def parse_action(text: str) -> AnyAction:
    """Read an action. Raises NotationError for anything else."""
    if text in PLAIN:
        return PLAIN[text]
    verb, _, rest = text.partition(" ")
    match verb:
        case "lay" if rest:
            return Lay(tuple(parse_meld(meld) for meld in rest.split("/")))
        case "meld" if rest:
            return Meld(tuple(parse_cards(meld) for meld in rest.split("/")))
        case "exchange" if rest:
            return Exchange(parse_card(rest))
        case "add":
            return _parse_add(text)
        case "swap":
            return _parse_swap(text)
        case "discard" if rest.endswith(" force"):
            return Discard(parse_card(rest.removesuffix(" force")), force=True)
        case "discard" if rest:
            return Discard(parse_card(rest))
        case _:
            raise NotationError(f"no action: {text!r}")


def _parse_add(text: str) -> Add:
    found = ADD.fullmatch(text)
    if not found:
        raise NotationError(f"not an add as in `add 7H to 2 low`: {text!r}")
    ends: dict[str | None, End | None] = {"low": "low", "high": "high", None: None}
    return Add(parse_number(found["meld"]), parse_meld(found["cards"]), ends[found["end"]])


def _parse_swap(text: str) -> Swap:
    found = SWAP.fullmatch(text)
    if not found:
        raise NotationError(f"not a swap as in `swap 6H in 1 with 4H then lay 9S TS JK`: {text!r}")
    if found["then"] and not found["then"].startswith(("lay ", "add ")):
        raise NotationError(f"only `lay` or `add` can follow `then`: {text!r}")
    then = parse_action(found["then"]) if found["then"] else None
    assert isinstance(then, Lay | Add | None)  # noqa: S101 - by its verb
    return Swap(
        parse_number(found["meld"]), parse_card(found["card"]), parse_cards(found["extend"] or ""), then
    )


def parse_line(text: str) -> tuple[int, str]:
    """`0: draw` -> the seat and what it does."""
    found = LINE.fullmatch(text)
    if not found:
        raise NotationError(f"not a line as in `0: draw`: {text!r}")
    return int(found["seat"]), found["rest"]
