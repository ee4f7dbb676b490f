"""`dmoj_checker.py INPUT OUTPUT ANSWER COMPARISON [OPTION...]`: comparisons of DMOJ that are none of ours.

Exit 0 accepts, 1 rejects and 3 is a fault of the problem; 7 gives the share that `partial X/Y` on standard
error names. This file is complete in itself: problems whose checker it is carry it.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

ACCEPT, REJECT, BROKEN, SHARE = 0, 1, 3, 7
Lines = list[bytes]


def easy(output: bytes, answer: bytes) -> int:
    """The same characters as often, in whatever order; white space and case do not count."""
    counted = [Counter(b"".join(text.lower().split())) for text in (output, answer)]
    return REJECT if counted[0] != counted[1] else ACCEPT


def in_any_order(output: bytes, answer: bytes, split_on: str) -> int:
    """The same words, or the same lines of words, as often."""
    if split_on == "whitespace":
        return ACCEPT if sorted(output.split()) == sorted(answer.split()) else REJECT
    ours, theirs = (sorted(line.split() for line in filled(text)) for text in (output, answer))
    return ACCEPT if ours == theirs else REJECT


def right_lines(output: bytes, answer: bytes) -> int:
    """A share by how many lines are right; lines too many are wrong."""
    got, wanted = filled(output), filled(answer)
    if len(got) > len(wanted):
        return REJECT
    right = sum(each.strip() == other.strip() for each, other in zip(got, wanted, strict=False))
    return share(right, len(wanted)) if wanted else ACCEPT


def weighed_lines(output: bytes, answer: bytes, how_many: str, *weights: str) -> int:
    """A share by the weights of the lines that are right, of `all` lines or of `some`."""
    got, wanted = filled(output), filled(answer)
    if len(wanted) != len(weights):
        sys.stderr.write(f"the answer has {len(wanted)} lines, and there are {len(weights)} points\n")
        return BROKEN
    if how_many == "all" and len(got) != len(wanted):
        return REJECT
    lines = zip(got, wanted, map(int, weights), strict=False)
    return share(sum(weight for each, other, weight in lines if each == other), sum(map(int, weights)))


def filled(text: bytes) -> Lines:
    return [line for line in re.split(b"[\r\n]", text) if line]


def share(right: int, of: int) -> int:
    if right in (0, of):
        return ACCEPT if right else REJECT
    sys.stderr.write(f"partial {right}/{of}\n")
    return SHARE


COMPARISONS: Mapping[str, Callable[..., int]] = {
    "easy": easy,
    "sorted": in_any_order,
    "linecount": right_lines,
    "linematches": weighed_lines,
}


def read(places: list[str]) -> Iterator[bytes]:
    return (Path(place).read_bytes() for place in places)


if __name__ == "__main__":
    output, answer = read(sys.argv[2:4])
    sys.exit(COMPARISONS[sys.argv[4]](output, answer, *sys.argv[5:]))
