"""Results go to stdout, complaints to stderr, colours only to a terminal and never against NO_COLOR."""

from __future__ import annotations

import json
import sys

from rich.console import Console


def out() -> Console:
    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def err() -> Console:
    return Console(stderr=True, highlight=False, soft_wrap=True)


def print_json(value: object) -> None:
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
