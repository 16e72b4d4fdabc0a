"""What the others do moves nothing on a table: what has to make room glides, and the rest stays where it is."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.axe import SETTLED
from tests.browser.conftest import Arrive
from tests.browser.person import Person
from tests.browser.wire import Wire, at_a_table
from tests.conftest import FULL

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

SIZES = ((360, 740), (768, 1024), (1440, 900))
LEAST = 0.0005
"""Less than this are the figures of a count, which are not as wide as each other."""
WATCH = """() => {
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
  const name = (node) => node?.dataset?.testid || node?.className || name(node?.parentElement) || node?.nodeName;
  const note = ({ value, sources }) => window.moved.push([value, ...sources.map(
    ({ node, previousRect, currentRect }) => `${name(node)}: ${place(previousRect)} to ${place(currentRect)}`)]);
  window.moved = [];
  window.watch = new PerformanceObserver((list) => list.getEntries().forEach(note));
  window.watch.observe({ type: 'layout-shift' });
}"""

Frame = dict[str, Any]
"""What a frame tells besides the last one: `hand` and `view` in part, `seats` by seat, `events`."""


def on_the_floor(game: str, hand: list[str]) -> list[Frame]:
    """A round at a table that is everybody's: each draws, lays or adds, and throws; then it is one's own turn."""
    melds = [["5H", "6H", "7H"], ["9S", "9D", "9H"], ["TS", "JS", "QS", "KS"], ["3C", "3D", "3S"]]
    melds.append(["6C", "7C", "8C"])
    frames: list[Frame] = []
    table: list[Frame] = []
    counts = [len(hand), 13, 13, 13]
    stock = 60

    def tell(seat: int, *events: Frame, **view: Any) -> None:
        turned = {"hand": {"turn": seat, "counts": [*counts], "table": [*table], "stock": stock, **view}}
        frames.append({**turned, "asked": seat, "events": [{"seat": seat, **event} for event in events]})

    for seat, laid in ((1, melds[:1]), (2, melds[1:3]), (3, melds[3:])):
        counts[seat] += 1
        stock -= 1
        tell(seat, {"e": "drew"})
        for cards in laid:
            counts[seat] -= len(cards)
            meld = len(table) + 1
            table.append({"id": meld, "kind": "run", "cards": cards})
            tell(seat, {"e": "laid", "meld": meld, "cards": cards})
        counts[seat] -= 1
        longer = [*table[0]["cards"], ("8H", "9H", "TH")[seat - 1]]
        table[0] = {**table[0], "cards": longer}
        added = {"e": "added", "meld": 1, "cards": longer[-1:], "meld_cards": longer}
        tell(seat, added)
        counts[seat] -= 1
        tell(seat, {"e": "discarded", "card": f"{seat + 1}D"}, discard=f"{seat + 1}D", discards=seat)
    tell(0)
    stock -= 1
    counts[0] += 1
    tell(0, {"e": "drew", "card": "JH"}, hand=[*hand, "JH"], drawn="JH", phase="act")
    counts[0] -= 1
    thrown = {"seat": 0, "e": "discarded", "card": "JH"}
    tell(1, thrown, hand=hand, drawn=None, phase="draw", discard="JH", discards=4)
    return frames


def in_a_duel(hand: list[str]) -> list[Frame]:
    """Cards are turned, passed and melded by the other, until one's own turn comes."""

    def tell(turn: int, *events: Frame, **view: Any) -> Frame:
        return {"hand": {"turn": turn, **view}, "asked": turn, "events": list(events)}

    first, second = ["5H", "6H", "7H"], ["QS", "QD", "QC"]

    def turned(seat: int, card: str) -> Frame:
        return {"centre": {"card": card, "by": seat, "how": "turned"}, "phase": "own"}

    def thrown(seat: int, card: str) -> Frame:
        return {"centre": {"card": card, "by": seat, "how": "discarded"}, "phase": "offered"}

    return [
        tell(1, {"e": "turned_up", "seat": 1, "card": "7H"}, **turned(1, "7H"), stock=18),
        tell(
            1,
            {"e": "melded", "seat": 1, "card": "7H", "from_hand": first[:2], "melds": [first]},
            table=[[], [first]],
            counts=[len(hand), 8],
            centre=None,
            phase="discard",
        ),
        tell(0, {"e": "discarded", "seat": 1, "card": "2C"}, **thrown(1, "2C"), counts=[len(hand), 7]),
        tell(0, {"e": "turned_up", "seat": 0, "card": "KD"}, **turned(0, "KD"), stock=17, dead=1),
        tell(1, {"e": "passed", "seat": 0, "card": "KD"}, phase="offered"),
        tell(1, {"e": "turned_up", "seat": 1, "card": "QS"}, **turned(1, "QS"), stock=16, dead=2),
        tell(
            1,
            {"e": "melded", "seat": 1, "card": "QS", "from_hand": second[1:], "melds": [first, second]},
            table=[[], [first, second]],
            counts=[len(hand), 5],
            centre=None,
            phase="discard",
        ),
        tell(0, {"e": "discarded", "seat": 1, "card": "2D"}, **thrown(1, "2D"), counts=[len(hand), 4]),
    ]


def an_absence(asked: int, now: int) -> list[Frame]:
    """Somebody loses the line, stays away so long that the others may decide, and comes back."""
    gone = {"kind": "person", "level": None, "here": False}
    absence = {"seat": 1, "choices": ["wait", "bot", "claim"], "votes": {}}
    turns: list[Frame] = [
        {"seats": {1: {**gone, "away_until": now + 9_000}}, "events": [{"e": "seat_away", "seat": 1}]},
        {"seats": {1: {**gone, "away_until": None}}, "view": {"absences": [absence]}},
        {
            "seats": {1: {**gone, "here": True}},
            "view": {"absences": []},
            "events": [{"e": "seat_back", "seat": 1}],
        },
    ]
    return [{"asked": asked, **turn} for turn in turns]


def tell(wire: Wire, frame: Frame) -> None:
    """Say in the server's name how the table stands next."""
    view = wire.frame["view"]
    seats = [{**seat, "asked": at == frame["asked"]} for at, seat in enumerate(view["seats"])]
    for at, change in frame.get("seats", {}).items():
        seats[at] |= change
    hand = {**view["hand"], **frame.get("hand", {})}
    wire.frame = {
        **wire.frame,
        "v": wire.frame["v"] + 1,
        "decision": wire.frame["decision"] + 1,
        "legal": None,
        "missed": None,
        "events": frame.get("events", []),
        "view": {**view, **frame.get("view", {}), "seats": seats, "hand": hand},
    }
    wire.say(wire.frame)


def moved(person: Person) -> list[Any]:
    """What has moved since it was last asked."""
    person.page.wait_for_timeout(60)
    person.page.evaluate(SETTLED)
    found: list[Any] = person.page.evaluate("window.moved.splice(0)")
    return [entry for entry in found if entry[0] >= LEAST]


GAMES = [("conquian", "es", 2), ("konken", "tr", 0), ("conker", "id", 1)]


@pytest.mark.parametrize(("game", "language", "size"), GAMES if FULL else GAMES[:2])
def test_nothing_moves_while_the_others_play(arrive: Arrive, game: str, language: str, size: int) -> None:
    """At one of the sizes, and with `--full` at all of them, and the third game."""
    north = arrive("North", phone=True, language=language)
    wire = at_a_table(north, game=game, turn_seconds="60")
    wire.held = True
    expect(north.by("guide")).to_be_visible()
    north.page.wait_for_timeout(600)  # until what moves cards has come, too
    start = wire.frame
    hand = [*start["view"]["hand"]["hand"]]
    frames = in_a_duel(hand) if game == "conquian" else on_the_floor(game, hand)
    frames += an_absence(frames[-1]["asked"], start["now"])
    for width, height in SIZES if FULL else SIZES[size:][:1]:
        north.page.set_viewport_size({"width": width, "height": height})
        north.page.wait_for_timeout(500)
        north.page.evaluate(WATCH)
        wire.frame = {**start, "v": wire.frame["v"]}
        tell(wire, {"asked": 0, "events": [{"e": "dealt", "dealer": 1, "first": 0}]})
        expect(north.by("hand-card")).to_have_count(len(hand))
        assert moved(north) == [], f"the deal at {width} px"
        for at, frame in enumerate(frames):
            tell(wire, frame)
            if frame.get("view", {}).get("absences"):
                expect(north.by("absence-dialog")).to_be_visible()
            assert moved(north) == [], f"frame {at} at {width} px: {frame}"
        end(wire)
        expect(north.by("result").first).to_be_visible()
        assert moved(north) == [], f"the end of the hand at {width} px"
        north.page.evaluate("window.watch.disconnect()")


def end(wire: Wire) -> None:
    """The hand ends: somebody else has gone out."""
    seats = len(wire.frame["view"]["seats"])
    result = {
        "ending": "out",
        "winners": [1],
        "points": [-10, 10 * (seats - 1), *[-10] * (seats - 2)],
        "penalties": [10, 0, *[10] * (seats - 2)],
        "hands": [["2H"], [], *[["2H"]] * (seats - 2)],
    }
    tell(
        wire,
        {
            "asked": None,
            "hand": {"result": result, "phase": "over"},
            "view": {"phase": "between", "ready_by": wire.frame["now"] + 9_000},
            "events": [{"e": "hand_ended", "result": result}],
        },
    )
