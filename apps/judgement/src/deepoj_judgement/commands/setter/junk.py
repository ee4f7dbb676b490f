"""Files that no validator should take. Pure, and the same each time."""

import re
from hashlib import sha256

_WHITE_SPACE = b" \n\t\n  \n"
_RANDOM = b"".join(sha256(bytes([number])).digest() for number in range(32))
_PRINTABLE = bytes(range(32, 127)) + b"\n"
_HUGE = b"9" * 100_000 + b"\n"
_INTEGER = re.compile(rb"(?<![0-9A-Za-z.+-])([1-9][0-9]*)(?![0-9A-Za-z.])")

ANYWHERE = {
    "an empty file": b"",
    "white space only": _WHITE_SPACE,
    "random bytes": _RANDOM,
    "all printable characters": _PRINTABLE,
    "a number of 100000 digits": _HUGE,
}


def misshapen(text: bytes) -> dict[str, bytes]:
    """An input that was right, with a small fault of form; those that cannot be had are left out."""
    made = {
        "two spaces in place of one": text.replace(b" ", b"  ", 1),
        "a space at the end of a line": text.replace(b"\n", b" \n", 1),
        "an empty line at the end": text + b"\n",
        "a last line without its end": text.removesuffix(b"\n"),
        "a number with a zero before it": _INTEGER.sub(rb"0\1", text, count=1),
        "more than it should hold": text + b"1 x\n",
    }
    return {name: content for name, content in made.items() if content != text}
