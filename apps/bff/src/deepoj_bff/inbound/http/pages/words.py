"""The texts of the site, as the build wrote them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

Texts = Mapping[str, "str | Plural"]


class Plural(msgspec.Struct, frozen=True):
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Words:
    locale: str
    texts: Texts

    def __call__(self, key: str, **values: object) -> str:
        text = self.texts[key]
        if isinstance(text, Plural):
            text = text.one if values.get("n") == 1 and self.locale == "en" else text.other
        for name, value in values.items():
            text = text.replace(f"{{{name}}}", str(value))
        return text

    def title(self, title: str, titles: Mapping[str, str]) -> str:
        """Return the title in this language, if there is one."""
        ours = [each for each in titles if each == self.locale or each.startswith(f"{self.locale}-")]
        return (titles[min(ours)] if ours else "") or title


def locale_of(accept_language: str) -> str:
    """Return the language of the site that a browser would choose: by the first one it names."""
    return "zh" if accept_language.strip().lower().startswith("zh") else "en"
