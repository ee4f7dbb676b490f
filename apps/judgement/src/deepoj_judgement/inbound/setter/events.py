"""Events as lines of JSON on standard output, each with its name first."""

from __future__ import annotations

import re
import sys
from dataclasses import asdict

import msgspec

from deepoj_judgement.commands.setter.events import Event

_WORD_STARTS = re.compile(r"(?<!^)(?=[A-Z])")


def encode_event(event: Event) -> bytes:
    name = _WORD_STARTS.sub("_", type(event).__name__).lower()
    return msgspec.json.encode({"event": name, **asdict(event)}) + b"\n"


def emit(event: Event) -> None:
    sys.stdout.buffer.write(encode_event(event))
    sys.stdout.buffer.flush()
