"""In which manner somebody uses the site: a language, a width, with a mouse or by the keyboard alone.

Tests say what is read in English. In another language the site says the same by the same key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from re import Pattern
from typing import TYPE_CHECKING, NamedTuple

from playwright.sync_api import FileChooser, Locator, Page, expect

from tests.e2e.web.hands import drop, editor, tab_to, write

if TYPE_CHECKING:
    from tests.e2e.conftest import Person
    from tests.e2e.web.conftest import OpenBrowser, Reader

TEXTS = Path(__file__).parents[3] / "web/src/i18n"
MESSAGE = re.compile(r'^  "([^"]+)": (.*),$', re.MULTILINE)
FORM = re.compile(r'"(?:[^"\\]|\\.)*"')
BLANK = re.compile(r"\{(\w+)\}")


class Manner(NamedTuple):
    locale: str
    width: int
    keyboard: bool


AT_A_DESK = Manner("en", 1280, keyboard=False)
ON_A_PHONE = Manner("zh", 360, keyboard=True)


@dataclass(frozen=True)
class Hands:
    """What somebody does on a page, and finds there."""

    reader: Reader
    page: Page
    manner: Manner

    def words(self, text: str) -> str:
        """Return a pattern of what the site says in the reader's language instead of an English text."""
        return re.escape(text) if self.manner.locale == "en" else "|".join(_translated(text))

    def said(self, text: str) -> Pattern[str]:
        return re.compile(self.words(text))

    def named(self, name: str) -> Pattern[str]:
        return re.compile(f"^(?:{self.words(name)})$")

    def sees(self, text: str) -> None:
        expect(self.page.get_by_text(self.said(text)).first).to_be_visible()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=self.named(name))

    def link(self, name: str) -> Locator:
        return self.page.get_by_role("link", name=self.named(name))

    def field(self, label: str) -> Locator:
        return self.page.get_by_label(self.said(label))

    def table(self, name: str) -> Locator:
        return self.page.get_by_role("table", name=self.named(name))

    def press(self, target: Locator) -> None:
        if self.manner.keyboard:
            tab_to(self.page, target)
            self.page.keyboard.press("Enter")
        else:
            target.click()

    def fill(self, label: str, text: str) -> None:
        if self.manner.keyboard:
            tab_to(self.page, self.field(label))
            self.page.keyboard.press("Control+A")
            self.page.keyboard.insert_text(text)
        else:
            self.field(label).fill(text)

    def write(self, source: str) -> None:
        """Replace what is in the editor, and leave it."""
        if self.manner.keyboard:
            tab_to(self.page, editor(self.page))
            self.page.keyboard.press("Control+A")
            self.page.keyboard.insert_text(source)
            self.page.keyboard.press("Escape")
        else:
            write(self.page, source)

    def part(self, name: str) -> Locator:
        """Find the link to a part of an area of the site."""
        return self.page.locator("nav.parts").get_by_role("link", name=self.named(name))

    def give(self, name: str, content: bytes) -> None:
        """Give the page a file: dropped, or chosen."""
        if self.manner.keyboard:
            tab_to(self.page, self.page.locator("input[type=file]"))
            with self.page.expect_file_chooser() as opened:
                self.page.keyboard.press("Enter")
            chooser: FileChooser = opened.value
            chooser.set_files({"name": name, "mimeType": "application/zip", "buffer": content})
        else:
            drop(self.page, name, content)

    def change(self, manner: Manner) -> Hands:
        """Go on in another manner on the same page."""
        self.page.set_viewport_size({"width": manner.width, "height": 800})
        languages = self.page.locator("footer select", has=self.page.locator(f"[lang={manner.locale}]"))
        languages.select_option(manner.locale)
        expect(self.page.locator("html")).to_have_attribute("lang", manner.locale)
        return replace(self, manner=manner)


def hands_of(open_browser: OpenBrowser, person: Person | None, manner: Manner, path: str) -> Hands:
    reader = open_browser(person, locale={"en": "en-GB", "zh": "zh-CN"}[manner.locale])
    reader.page.set_viewport_size({"width": manner.width, "height": 800})
    # The browser has to know before the first key that its choosers are answered here.
    reader.page.on("filechooser", lambda _: None)
    return Hands(reader, reader.open(path), manner)


@cache
def _texts(locale: str) -> dict[str, list[str]]:
    """Return every text by its key; a plural has two forms."""
    return {
        key: [json.loads(each) for each in FORM.findall(value)]
        for key, value in MESSAGE.findall((TEXTS / f"{locale}.ts").read_text())
    }


@cache
def _translated(text: str) -> list[str]:
    """Return patterns of the same in Chinese, by the texts that say it most exactly."""
    found = list(_whole(text)) or list(_part(text))
    assert found, f"the site does not say {text!r}"
    most = max(likeness for likeness, _ in found)
    return sorted({pattern for likeness, pattern in found if likeness == most})


def _whole(text: str) -> Iterator[tuple[int, str]]:
    for key, form, filled_in in _english():
        if filled := filled_in.fullmatch(text):
            values = dict(zip(BLANK.findall(form), map(re.escape, filled.groups()), strict=True))
            yield len(BLANK.sub("", form)), _pattern(key, values)


@cache
def _english() -> list[tuple[str, str, Pattern[str]]]:
    """Return the key of every form of a text, the form, and a pattern of it with its blanks filled in."""
    return [
        (key, form, re.compile("(.+)".join(map(re.escape, BLANK.split(form)[::2]))))
        for key, forms in _texts("en").items()
        for form in forms
    ]


def _part(text: str) -> Iterator[tuple[int, str]]:
    for key, forms in _texts("en").items():
        if any(text in piece for form in forms for piece in re.split(r"\{\w+\}", form)):
            yield 0, _pattern(key, {})


def _pattern(key: str, values: dict[str, str]) -> str:
    form = _texts("zh")[key][-1]
    pieces = re.split(r"\{(\w+)\}", form)
    return "".join(
        values.get(piece, ".+") if place % 2 else re.escape(piece) for place, piece in enumerate(pieces)
    )
