"""Regular expressions of a package, matched in a process of their own: some of them never end."""

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple

from deepoj_packages.refusal import PackageRefusedError, Reason, invalid

_SECONDS = 2
_MOST_PATTERN = 1000
# It bounds itself: what it is given cannot change that.
_MATCHER = f"""
import json, re, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, ({_SECONDS}, {_SECONDS}))
resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))
pattern, names = json.load(sys.stdin)
try:
    pattern = re.compile(pattern, re.IGNORECASE)
except (re.error, OverflowError, RecursionError) as error:
    sys.exit(3)
def group(found, name):
    return found[name] if name in pattern.groupindex else None
found = [(name, pattern.match(name)) for name in names]
json.dump([(name, group(match, "batch"), group(match, "case")) for name, match in found if match], sys.stdout)
"""
_NOT_A_PATTERN = 3


class Match(NamedTuple):
    name: str
    batch: str | None
    case: str | None


def matches(pattern: str, names: Sequence[str], where: str) -> list[Match]:
    """The names that begin as the pattern says, with its groups `batch` and `case`."""
    if len(pattern) > _MOST_PATTERN:
        raise invalid(f"{where} is longer than {_MOST_PATTERN} characters")
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", _MATCHER],
            input=json.dumps([pattern, list(names)]).encode(),
            capture_output=True,
            timeout=4 * _SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise _too_slow(where) from error
    if done.returncode == _NOT_A_PATTERN:
        raise invalid(f"{where} is no regular expression: {pattern[:80]!r}")
    if done.returncode:
        raise _too_slow(where)
    return [Match(*each) for each in json.loads(done.stdout)]


def _too_slow(where: str) -> PackageRefusedError:
    return PackageRefusedError(
        Reason.TOO_LARGE, f"{where} takes more than {_SECONDS} seconds to match: list the test cases instead"
    )
