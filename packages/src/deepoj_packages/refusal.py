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
    INVALID = "invalid"
    """The package contradicts its format."""
    UNSUPPORTED = "unsupported"
    """The format allows it; Deep-OJ cannot judge it."""


class PackageRefusedError(Exception):
    def __init__(self, reason: Reason, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.sentence = sentence


def invalid(sentence: str) -> PackageRefusedError:
    return PackageRefusedError(Reason.INVALID, sentence)


def unsupported(sentence: str) -> PackageRefusedError:
    return PackageRefusedError(Reason.UNSUPPORTED, sentence)
