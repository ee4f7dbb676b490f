"""Why a package was not taken: one sentence for a person, one code for a program."""

from enum import StrEnum


class Reason(StrEnum):
    NOT_FOUND = "not_found"
    NOT_A_PACKAGE = "not_a_package"
    BROKEN_ARCHIVE = "broken_archive"
    UNSAFE_NAME = "unsafe_name"
    UNSAFE_ENTRY = "unsafe_entry"
    NAME_COLLISION = "name_collision"
    TOO_LARGE = "too_large"
    BAD_YAML = "bad_yaml"
    BAD_XML = "bad_xml"
    BAD_JSON = "bad_json"
    SEVERAL = "several"
    """It holds more problems than the one that was asked for."""
    NOT_MADE = "not_made"
    """Its tests are still to be made by its programs, and nothing here may run them."""
    INVALID = "invalid"
    """The package contradicts its format."""
    UNSUPPORTED = "unsupported"
    """The format allows it; Deep-OJ cannot judge it."""


_MOST_NAME = 100
_MOST_SENTENCE = 2000
"""A package is a stranger's: what it calls itself may have megabytes."""


class PackageRefusedError(Exception):
    def __init__(self, reason: Reason, sentence: str) -> None:
        super().__init__(shortened(sentence, _MOST_SENTENCE))
        self.reason = reason
        self.sentence = shortened(sentence, _MOST_SENTENCE)

    def about(self, problem: str) -> "PackageRefusedError":
        return PackageRefusedError(self.reason, f"{shortened(problem)}: {self.sentence}")


def shortened(text: str, most: int = _MOST_NAME) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def invalid(sentence: str) -> PackageRefusedError:
    return PackageRefusedError(Reason.INVALID, sentence)


def unsupported(sentence: str) -> PackageRefusedError:
    return PackageRefusedError(Reason.UNSUPPORTED, sentence)
