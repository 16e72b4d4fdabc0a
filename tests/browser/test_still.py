"""What the others do moves nothing on a table: what has to make room glides, and the rest stays where it is."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.axe import SETTLED
from tests.browser.conftest import Arrive
from tests.browser.person import Person
from tests.browser.wire import Wire, at_a_table
from tests.conftest import FULL

pytestmark = pytest.mark.browser

SIZES = ((360, 740), (768, 1024), (1440, 900))
GLIDE = 340
"""How long what makes room is on its way, and a picture or two more (ms)."""
HURRY = 110
"""Frames that come so fast find what the one before has moved still on its way (ms)."""
LEAST = 0.00005
"""Less than this are the words and figures of one seat, which are not as wide as each other."""
WATCH = """() => {
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
  const known = (node) => node.dataset?.testid || node.className?.baseVal || node.className;
  const name = (node) => (node ? known(node) || name(node.parentElement) : 'gone');
  const note = ({ value, sources }) => window.moved.push([value, ...sources.map(
    ({ node, previousRect, currentRect }) => `${name(node)}: ${place(previousRect)} to ${place(currentRect)}`)]);
  window.moved = [];
  window.watch = new PerformanceObserver((list) => list.getEntries().forEach(note));
  window.watch.observe({ type: 'layout-shift' });
}"""

PLACES = """() => [...document.querySelectorAll('.actions .btn, .say, .tool, .top .icb, .hand, .seat')]
  .map((node) => [node.dataset.testid ?? node.className, node.getBoundingClientRect()])
  .map(([name, { x, y, width, height }]) => [name, x, y, width, height].join(' '))"""
"""Where everything stands that never moves. Text that is put in the place of another one is a new one to the browser,
and moves nothing in its eyes: this is what it could have moved."""

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
    # So many that their cards become smaller, on a phone and on a desk.
    for seat, suit in ((1, "S"), (2, "H"), (3, "D"), (1, "C"), (2, "S"), (3, "H")):
        table.append({"id": len(table) + 1, "kind": "run", "cards": [f"{rank}{suit}" for rank in "5678"]})
        tell(seat, {"e": "laid", "meld": len(table), "cards": table[-1]["cards"]})
        longer = [*table[1]["cards"], f"9{suit}"]
        table[1] = {**table[1], "cards": longer}
        tell(seat, {"e": "added", "meld": 2, "cards": longer[-1:], "meld_cards": longer})
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
    own, longer = ["4S", "5S", "6S"], ["3S", "4S", "5S", "6S"]

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
        # A bot has played for us meanwhile: what lies on one's own table makes room, too.
        tell(
            0, {"e": "melded", "seat": 0, "card": "4S", "from_hand": own[1:]}, table=[[own], [first, second]]
        ),
        tell(0, {"e": "melded", "seat": 0, "card": "3S", "from_hand": []}, table=[[longer], [first, second]]),
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
    """What has moved since it was last asked, once all has come to rest."""
    person.page.wait_for_timeout(GLIDE)
    person.page.evaluate(SETTLED)
    found: list[Any] = person.page.evaluate("window.moved.splice(0)")
    return [entry for entry in found if entry[0] >= LEAST]


def test_a_table_that_comes_moves_nothing_that_is_there_before(arrive: Arrive) -> None:
    """On a slow line its head is there before its cards."""
    north = arrive("North", phone=True)
    wire = at_a_table(north, turn_seconds="60")
    wire.held = True
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    north.page.route("**/assets/Playing-*.js", hold)
    north.page.add_init_script(f"({WATCH})()")
    north.page.reload()
    expect(north.page.get_by_role("heading", name="Upcard")).to_be_visible()
    north.wait_until(lambda: wire.frame is not wire.heard, "the frame")
    north.page.evaluate(SETTLED)
    wire.say(wire.heard)
    expect(north.page.get_by_role("heading", name="Konken")).to_be_visible()
    north.page.evaluate(SETTLED)
    north.wait_until(lambda: len(late) > 0, "what plays")
    for route in late:
        route.continue_()
    expect(north.by("hand-card").first).to_be_visible()
    north.page.evaluate(SETTLED)
    assert north.page.evaluate("window.moved") == []


GAMES = [("conquian", "es", (0,)), ("konken", "tr", (2,)), ("conker", "id", (1,))]


@pytest.mark.parametrize(("game", "language", "sizes"), GAMES if FULL else GAMES[:2])
def test_nothing_moves_while_the_others_play(
    arrive: Arrive, game: str, language: str, sizes: tuple[int, ...]
) -> None:
    """At some of the sizes, and with `--full` at all of them, and the third game."""
    north = arrive("North", phone=True, language=language)
    wire = at_a_table(north, game=game, turn_seconds="60")
    wire.held = True
    expect(north.by("guide")).to_be_visible()
    north.page.wait_for_timeout(600)  # until what moves cards has come, too
    start = wire.frame
    hand = [*start["view"]["hand"]["hand"]]
    frames = in_a_duel(hand) if game == "conquian" else on_the_floor(game, hand)
    absence = an_absence(frames[-1]["asked"], start["now"])
    for width, height in SIZES if FULL else [SIZES[at] for at in sizes]:
        north.page.set_viewport_size({"width": width, "height": height})
        north.page.wait_for_timeout(500)
        north.page.evaluate(WATCH)
        deal(north, wire, start)
        assert moved(north) == [], f"the deal at {width} px"
        places = north.page.evaluate(PLACES)
        for at, frame in enumerate([*frames, *absence]):
            tell(wire, frame)
            if frame.get("view", {}).get("absences"):
                expect(north.by("absence-dialog")).to_be_visible()
            assert moved(north) == [], f"frame {at} at {width} px: {frame}"
            if frame not in absence:
                assert north.page.evaluate(PLACES) == places, f"frame {at} at {width} px: {frame}"
        deal(north, wire, start)
        moved(north)
        for frame in frames:
            tell(wire, frame)
            north.page.wait_for_timeout(HURRY)
        assert moved(north) == [], f"in a hurry at {width} px"
        end(wire)
        expect(north.by("result").first).to_be_visible()
        assert moved(north) == [], f"the end of the hand at {width} px"
        north.page.evaluate("window.watch.disconnect()")


def deal(person: Person, wire: Wire, start: Frame) -> None:
    """The hand begins anew."""
    wire.frame = {**start, "v": wire.frame["v"]}
    tell(wire, {"asked": 0, "events": [{"e": "dealt", "dealer": 1, "first": 0}]})
    expect(person.by("hand-card")).to_have_count(len(start["view"]["hand"]["hand"]))


COPIES = """() => {
  window.copies = [];
  new MutationObserver((records) => records.forEach(({ addedNodes }) => addedNodes.forEach((node) => {
    if (node.parentElement?.className?.includes?.('air')) window.copies.push(node.style.left);
  }))).observe(document.body, { subtree: true, childList: true });
}"""
"""Where the copies that fly are to land."""


@pytest.mark.parametrize("phone", [True, False] if FULL else [True])
def test_a_deal_flies_to_where_the_cards_will_lie(arrive: Arrive, phone: bool) -> None:
    north = arrive("North", phone=phone)
    wire = Wire(north.page)
    north.page.reload()
    north.open_table(turn_seconds="60")
    north.fill_with_bots()
    north.page.wait_for_timeout(1200)  # until what moves cards has come
    north.page.evaluate(COPIES)
    wire.held = True
    north.by("ready").click()
    north.wait_until(lambda: wire.heard["view"]["phase"] == "playing", "the deal")
    # As the first who is asked sees it: nobody has played yet.
    wire.frame = wire.heard
    tell(wire, {"asked": 0, "events": [{"e": "dealt", "dealer": 3, "first": 0}]})
    north.wait_until(lambda: len(north.cards()) == 13, "the cards")
    north.page.wait_for_timeout(1600)
    places = north.by("hand-card").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().x)")
    flown = [float(left.removesuffix("px")) for left in north.page.evaluate("window.copies")]
    assert sorted(places) == pytest.approx(sorted(flown)[-len(places) :], abs=1), (places, flown)


FLIGHTS = """() => {
  window.flights = [];
  new MutationObserver((records) => requestAnimationFrame(() => {
    for (const copy of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!copy.parentElement?.className?.includes?.('air')) continue;
      const moves = copy.getAnimations().filter(({ effect }) => effect.getKeyframes()[0].transform);
      for (const move of moves) { move.pause(); move.currentTime = 0; }
      const { x, width } = copy.getBoundingClientRect();
      if (moves.length > 0) window.flights.push([x, width]);
      for (const move of moves) move.play();
    }
  })).observe(document.body, { subtree: true, childList: true });
}"""
"""Where the copies that fly have set out: a slow machine might ask only when they have come."""


def until_cards_move(person: Person) -> None:
    """Wait until what moves cards has come, and all lies where it lies."""
    there = "performance.getEntriesByType('resource').some(({ name }) => name.includes('/motion-'))"
    person.wait_until(lambda: person.page.evaluate(there), "what moves cards")
    person.page.wait_for_timeout(1200)


HAND = [f"{rank}H" for rank in "A23456789TJQK"]


@pytest.mark.parametrize(
    ("cards", "thrown"), [(HAND, "2H"), (HAND, "QH"), ([*HAND[:-1], "AH"], "AH")], ids=["near", "far", "twin"]
)
def test_a_card_that_is_thrown_flies_from_where_it_lay(arrive: Arrive, cards: list[str], thrown: str) -> None:
    """Though the hand has closed up by then, and another card lies there. Of two copies the one on the right goes."""
    north = arrive("North", phone=True)
    wire = at_a_table(north, turn_seconds="60")
    wire.held = True
    wire.change(hand=cards)
    until_cards_move(north)
    box = north.page.locator(f'[data-testid=hand-card][data-card="{thrown}"]').last.bounding_box()
    assert box is not None
    hand = [*cards]
    hand.remove(thrown)
    north.page.evaluate(FLIGHTS)
    event = {"seat": 0, "e": "discarded", "card": thrown}
    tell(wire, {"asked": 1, "events": [event], "hand": {"hand": hand, "discard": thrown, "turn": 1}})
    expect(north.by("hand-card")).to_have_count(len(hand))
    north.wait_until(lambda: len(north.page.evaluate("window.flights")) > 0, "the flight")
    assert north.page.evaluate("window.flights") == [
        [pytest.approx(box["x"], abs=1), pytest.approx(box["width"], abs=1)]
    ]


PICTURES = """() => {
  window.pictures = [];
  const look = () => {
    const card = document.querySelector('.hand .new');
    if (card)
      window.pictures.push([document.querySelectorAll('.air > *').length, Number(getComputedStyle(card).opacity)]);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
"""How many copies fly in each picture, and how much is seen of the card that has just come."""


@pytest.mark.parametrize("drawn", ["JS", "JH"], ids=["alone", "twin"])
def test_a_card_that_is_drawn_is_not_seen_before_it_has_come(arrive: Arrive, drawn: str) -> None:
    """Though it sets out from the stock only when the rest has been drawn, and though its twin lies in the hand."""
    north = arrive("North", phone=True)
    wire = at_a_table(north, turn_seconds="60")
    wire.held = True
    wire.change(hand=HAND)
    until_cards_move(north)
    north.page.evaluate(PICTURES)
    hand = [*HAND, drawn]
    event = {"seat": 0, "e": "drew", "card": drawn}
    tell(wire, {"asked": 0, "events": [event], "hand": {"hand": hand, "drawn": drawn, "phase": "act"}})
    expect(north.by("hand-card")).to_have_count(len(hand))
    north.wait_until(lambda: north.page.evaluate("window.pictures.at(-1)") == [0, 1], "the card")
    copies, seen = zip(*north.page.evaluate("window.pictures"), strict=True)
    assert max(copies) > 0, "it was there, and has not flown"
    landed = max(at for at, count in enumerate(copies) if count > 0)
    assert not any(seen[:landed]), [*zip(copies, seen, strict=True)]


def test_what_others_have_laid_is_outlined_for_a_moment_whatever_they_do_next(arrive: Arrive) -> None:
    north = arrive("North", phone=True)
    wire = at_a_table(north, turn_seconds="60")
    wire.held = True
    laid = [{"id": 1, "kind": "run", "cards": ["5H", "6H", "7H"]}]
    event = {"seat": 1, "e": "laid", "meld": 1, "cards": laid[0]["cards"]}
    tell(wire, {"asked": 1, "events": [event], "hand": {"table": laid}})
    outlined = north.page.locator(".meld.changed")
    expect(outlined).to_have_count(1)
    tell(
        wire, {"asked": 2, "events": [{"seat": 1, "e": "discarded", "card": "2D"}], "hand": {"discard": "2D"}}
    )
    expect(north.by("discard-pile")).to_have_attribute("data-card", "2D")
    expect(outlined).to_have_count(1)
    expect(outlined).to_have_count(0, timeout=4_000)


def test_a_log_that_lets_its_oldest_lines_go_moves_none_of_the_others(arrive: Arrive) -> None:
    north = arrive("North")
    wire = at_a_table(north, turn_seconds="60")
    wire.held = True
    north.page.wait_for_timeout(600)
    drew = {"e": "drew", "seat": 1}
    tell(wire, {"asked": 1, "events": [drew] * 70})
    expect(north.by("log").get_by_role("listitem").nth(70)).to_be_attached()
    north.page.evaluate(WATCH)
    for _ in range(60):
        tell(wire, {"asked": 1, "events": [drew]})
        north.page.wait_for_timeout(40)
    assert moved(north) == []
    assert north.by("log").get_by_role("listitem").count() < 125


@pytest.mark.parametrize("size", SIZES if FULL else SIZES[:1])
def test_what_one_puts_together_makes_its_room_without_a_jump(arrive: Arrive, size: tuple[int, int]) -> None:
    """Chosen and taken back faster than the tray comes to rest."""
    north = arrive("North")
    at_a_table(north, game="conker", turn_seconds="60")
    north.page.set_viewport_size({"width": size[0], "height": size[1]})
    north.draw()
    north.page.wait_for_timeout(600)
    north.page.evaluate(WATCH)
    for _ in range(3):
        for _ in range(3):
            north.page.evaluate(
                "document.querySelector('[data-testid=hand-card][aria-selected=false]').click()"
            )
        north.page.evaluate("document.querySelector('[data-testid=to-tray]').click()")
        north.page.wait_for_timeout(HURRY)
    for _ in range(3):
        north.page.evaluate("document.querySelector('[data-testid=take-back-0]').click()")
        north.page.wait_for_timeout(HURRY)
    assert moved(north) == []


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
