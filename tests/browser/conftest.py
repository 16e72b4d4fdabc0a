"""A house and people at browsers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from server.rules.registry import GAMES
from tests.browser.person import Person
from tests.house import House, running_house

PHONE: ViewportSize = {"width": 360, "height": 740}
DESK: ViewportSize = {"width": 1440, "height": 900}
Arrive = Callable[..., Person]


@pytest.fixture(scope="session")
def browser_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One house for all browser tests; grace as short as the options allow is the tables' own."""
    with running_house(tmp_path_factory.mktemp("browser-house"), workers=2) as house:
        yield house


@pytest.fixture
def arrive(browser: Browser, browser_house: House, tmp_path: Path) -> Iterator[Arrive]:
    """Have somebody arrive with a browser profile of their own: in the lobby, or by a link."""
    contexts = []
    people: list[Person] = []

    def come(
        name: str, phone: bool = False, language: str = "en", base: str | None = None, link: str = ""
    ) -> Person:
        context = browser.new_context(viewport=PHONE if phone else DESK, locale=language, has_touch=phone)
        contexts.append(context)
        person = Person(context.new_page(), base or browser_house.url, name)
        people.append(person)
        if link:
            person.page.goto(link)
        else:
            person.arrive()
        return person

    yield come
    for person in people:
        assert not person.errors, f"{person.name}'s page had errors"
    for context in contexts:
        context.close()


@pytest.fixture
def phone(browser: Browser, browser_house: House) -> Iterator[Page]:
    """A phone of somebody who has played before, before anything is opened: for a server that a test plays."""
    context = browser.new_context(base_url=browser_house.url, viewport=PHONE, service_workers="block")
    context.add_init_script(
        f"localStorage.setItem('upcard.guided', '{json.dumps([*GAMES])}');"
        "localStorage.setItem('upcard.name', 'Ada'); localStorage.setItem('upcard.named', 'yes');"
    )
    yield context.new_page()
    context.close()
