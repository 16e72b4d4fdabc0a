"""The other games in real browsers: a hand of Conker with bots, a game of Conquian between two people."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.person import GLANCE, Person

pytestmark = pytest.mark.browser

ROUNDS = 400
"""More turns than any hand here takes."""


# ---- Conker ----------------------------------------------------------------------------------------------------


def test_a_hand_of_conker_with_bots_on_phone_and_desk(arrive: Arrive) -> None:
    north, south = arrive("North", phone=True), arrive("South", language="id")
    address = north.open_table(game="conker", players="6", turn_seconds="60")  # the shortest hands there are
    south.sit(address, 2)
    north.add_bots(1, 3, 4, 5)
    start(north, south)
    expect(north.by("standing-1")).to_be_visible()
    at_play = colours(north)
    for _ in range(ROUNDS):
        if north.phase != "playing":
            break
        for person in (north, south):
            if person.phase == "playing" and person.my_turn:
                take_conker_turn(person)
        north.page.wait_for_timeout(GLANCE)
    for person in (north, south):
        expect(person.by("result").first).to_be_visible()
        assert colours(person) == at_play, "a suit has the same colour in a result"


def colours(person: Person) -> dict[str, str]:
    """The colour of each suit, as a card would have it that lay beside those that do."""
    return person.page.evaluate(  # type: ignore[no-any-return]
        """() => {
          const beside = document.querySelector('.card').parentElement;
          return Object.fromEntries([...'SHDC'].map((suit) => {
            const card = document.createElement('span');
            card.className = `card suit-${suit}`;
            beside.append(card);
            const { color } = getComputedStyle(card);
            card.remove();
            return [suit, color];
          }));
        }"""
    )


def take_conker_turn(person: Person) -> None:
    """Draw, lay what the table proposes if that may be laid, and throw a card."""
    if person.can("draw"):
        person.draw()
    if not (person.phase == "playing" and person.my_turn):
        return
    person.by("arrange").click()
    person.page.wait_for_timeout(350)
    if person.by("tray").count() and person.can("lay"):
        count = len(person.cards())
        person.by("lay").click()
        person.wait_until(lambda: person.by("tray").count() == 0, "the lay")
        assert len(person.cards()) == count
    while person.by("take-back-0").count():
        person.by("take-back-0").click()
    person.discard_one()


def test_conker_shows_the_order_of_the_choice_and_what_the_tray_is_worth(arrive: Arrive) -> None:
    north = arrive("North", phone=True)
    north.open_table(game="conker", players="2", turn_seconds="60")
    north.add_bots(1)
    north.by("ready").click()
    north.wait_until(lambda: north.my_turn, "the turn")
    north.draw()
    for index in (3, 1, 2):
        north.by("hand-card").nth(index).click()
    badges = [north.by("hand-card").nth(index).locator(".order").inner_text() for index in (1, 2, 3)]
    assert badges == ["2", "3", "1"]
    north.by("to-tray").click()
    expect(north.by("tray")).to_be_visible()
    north.by("take-back-0").click()
    assert len(north.cards()) == 14


# ---- Conquian --------------------------------------------------------------------------------------------------


def test_a_game_of_conquian_with_an_exchange_on_desk_and_phone(arrive: Arrive) -> None:
    north, south = arrive("North"), arrive("South", phone=True, language="es")
    address = north.open_table(game="conquian", exchange="on", deal="8", turn_seconds="60")
    south.sit(address, 1)
    start(north, south)
    for person in (north, south):
        person.by("hand-card").last.click()
        person.by("exchange").click()
    north.wait_until(lambda: duel(north) != "exchange", "the exchange")
    for _ in range(ROUNDS):
        if north.phase != "playing":
            break
        for person in (north, south):
            if person.phase == "playing" and person.my_turn:
                decide(person)
        north.page.wait_for_timeout(GLANCE)
    # A drawn game is played again; a won one ends the match.
    for person in (north, south):
        expect(person.by("result").first).to_be_visible()


def test_conquian_is_melded_by_hand_and_put_back_as_it_was(arrive: Arrive) -> None:
    north, south = arrive("North"), arrive("South", phone=True)
    address = north.open_table(game="conquian", turn_seconds="60")
    south.sit(address, 1)
    start(north, south)
    for _ in range(ROUNDS):
        asked = next((person for person in (north, south) if person.my_turn), None)
        if asked is None or not asked.can("pass"):
            north.page.wait_for_timeout(GLANCE)
            continue
        asked.by("arrange").click()
        asked.page.wait_for_timeout(200)
        if asked.by("reset").count():
            break
        before = standing(asked)
        asked.by("pass").click()
        asked.wait_until(lambda asked=asked, before=before: standing(asked) != before, "the pass")  # type: ignore[misc]
    else:
        raise AssertionError("nobody could meld anything")
    melds = asked.read("own-meld-1", "data-cards")[0].split()
    asked.by("reset").click()
    expect(asked.by("own-meld-1")).to_have_count(0)
    [centre] = asked.read("centre", "data-card")
    for card in melds:
        asked.page.locator(
            f'[data-testid="centre"][data-card="{card}"], [data-testid="hand-card"][data-card="{card}"]'
        ).click()
    asked.by("new-meld").click()
    expect(asked.by("own-meld-1")).to_be_visible()
    if centre in melds:
        asked.wait_until(lambda: asked.can("meld"), "the meld to be judged")
        asked.by("meld").click()
        asked.wait_until(lambda: duel(asked) != "own" and asked.by("reset").count() == 0, "the meld")
        other = south if asked is north else north
        expect(other.by("their-meld-1")).to_have_attribute(
            "data-cards", " ".join(asked.read("own-meld-1", "data-cards"))
        )


def duel(person: Person) -> str:
    """The phase of a game of Conquian."""
    return next(iter(person.read("duel", "data-phase")), "")


def decide(person: Person) -> None:
    """Meld what is proposed; else pass; force wherever it is possible; throw the last card."""
    before = standing(person)
    if duel(person) == "discard":
        person.by("hand-card").last.click()
        person.by("force" if person.can("force") else "discard").click()
    elif duel(person) == "window":
        person.by("force").click()
    else:
        person.by("arrange").click()
        person.page.wait_for_timeout(250)
        if person.by("reset").count() and person.can("meld"):
            person.by("meld").click()
        elif person.can("force"):
            person.by("force").click()
        else:
            person.by("pass").click()
    person.wait_until(lambda: standing(person) != before, "the decision")


def standing(person: Person) -> tuple[object, ...]:
    """What every decision changes in some way."""
    return person.phase, duel(person), person.read("centre", "data-card"), person.my_turn


def start(*people: Person) -> None:
    """Everybody is ready, the hand is dealt."""
    for person in people:
        person.by("ready").click()
    for person in people:
        person.wait_until(lambda person=person: person.phase == "playing", "the deal")  # type: ignore[misc]
