"""A leader and several others that open their channels by name, as they would named pipes."""

import io
import os
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from deepoj_sandbox.host.stdin import stdin_of
from deepoj_sandbox.host.streams import Nowhere
from deepoj_sandbox.host.talk import MOST_MEMBERS, Aside, Part, run_talk
from deepoj_sandbox.request import RunRequest, SandboxLimits
from deepoj_sandbox.result import RunResult, RunStatus
from deepoj_sandbox.testing import Laboratory, entries

LIMITS = SandboxLimits(cpu_ms=3000, wall_ms=20_000)
SHORT = SandboxLimits(cpu_ms=3000, wall_ms=1500)
# Adds one to what it reads, once.
STEP = """
import sys
given, answer = open('/proc/self/fd/3'), open('/proc/self/fd/4', 'w')
print(int(given.readline()) + 1, file=answer, flush=True)
"""
STEP_BY_STREAMS = "print(int(input()) + 1, flush=True)"
# Sends a number through all the others, one after the other.
LEADER = """
import os, signal, sys
signal.signal(signal.SIGPIPE, signal.SIG_IGN)
number = int(input())
for place in range(COUNT):
    given = open(f'/proc/self/fd/{3 + 2 * place}')
    to = open(f'/proc/self/fd/{4 + 2 * place}', 'w')
    try: print(number, file=to, flush=True)
    except BrokenPipeError: pass
    number = int(given.readline() or -100)
print(number)
"""
PATIENT = "import sys\nopen('/proc/self/fd/3').read()"
OTHERS = """
import os
seen = [int(each) for each in os.listdir('/proc') if each.isdigit()]
assert set(seen) <= {1, os.getpid()}, seen
try: os.listdir('/proc/1/fd')
except OSError: pass
else: raise SystemExit('the keeper shows its descriptors')
for number in range(5, 256):
    try: os.close(number)
    except OSError: continue
    raise SystemExit(f'descriptor {number} is open')
"""


class Talked(NamedTuple):
    leader: RunResult
    members: list[RunResult]
    said: str
    errors: list[str]


def talk(
    laboratory: Laboratory,
    leader: str,
    members: Sequence[str],
    *,
    limits: SandboxLimits = LIMITS,
    by_name: bool = True,
    leader_limits: SandboxLimits = LIMITS,
) -> Talked:
    leader = leader.replace("COUNT", str(len(members)))
    boxes = [laboratory.workshop.make() for _ in range(len(members) + 1)]
    errors = [io.BytesIO() for _ in boxes]
    said, stdin, nothing = io.BytesIO(), stdin_of(b"10", 2), stdin_of(b"", 0)
    others = Aside(nothing, Nowhere()) if by_name else None
    before = entries("/proc/self/fd")
    try:
        for box, source in zip(boxes, (leader, *members), strict=True):
            laboratory.put(box, "p.py", source.encode())
        request = RunRequest(argv=("/usr/bin/python3", "/app/p.py"), limits=limits)
        first = Part(boxes[0], RunRequest(argv=request.argv, limits=leader_limits), errors[0])
        rest = [Part(box, request, sink, others) for box, sink in zip(boxes[1:], errors[1:], strict=True)]
        results = run_talk(first._replace(aside=Aside(stdin, said)), rest, laboratory.directory)
        assert not list(laboratory.directory.glob("talk-*"))
        for box in boxes:
            assert laboratory.run(box, "/bin/true").status is RunStatus.OK
        # Boxes keep pipes ready; a channel that was forgotten would be more than these.
        assert entries("/proc/self/fd") <= before + 8 * len(boxes)
        texts = [each.getvalue().decode() for each in errors]
        return Talked(results[0], results[1:], said.getvalue().decode().strip(), texts)
    finally:
        for box in boxes:
            box.close()
        os.close(stdin)
        os.close(nothing)


@pytest.mark.parametrize("count", [1, 3, MOST_MEMBERS])
@pytest.mark.parametrize("by_name", [True, False], ids=["by name", "by streams"])
def test_a_leader_talks_with_each_of_the_others(laboratory: Laboratory, count: int, *, by_name: bool) -> None:
    member = STEP if by_name else STEP_BY_STREAMS
    talked = talk(laboratory, LEADER, [member] * count, by_name=by_name)
    assert (talked.said, {each.status for each in (talked.leader, *talked.members)}) == (
        str(10 + count),
        {RunStatus.OK},
    ), talked.errors


def test_a_channel_has_no_direction_before_it_is_opened(laboratory: Laboratory) -> None:
    """Some packages name them the other way round on both sides, and named pipes do not care."""
    turned = STEP.replace("fd/3')", "fd/4')").replace("fd/4', 'w'", "fd/3', 'w'")
    leader = LEADER.replace("{3 +", "{3 + 1 +").replace("{4 +", "{4 - 1 +")
    talked = talk(laboratory, leader, [turned] * 2)
    assert talked.said == "12", talked.errors


def test_the_end_of_a_channel_is_seen_while_both_go_on(laboratory: Laboratory) -> None:
    leader = """
to = open('/proc/self/fd/4', 'w')
given = open('/proc/self/fd/3')
print(21, file=to)
to.close()
print(given.read().strip())
"""
    member = """
answer, given = None, open('/proc/self/fd/3')
answer = open('/proc/self/fd/4', 'w')
print(2 * int(given.read()), file=answer)
"""
    assert talk(laboratory, leader, [member]).said == "42"


@pytest.mark.parametrize("by_name", [True, False], ids=["by name", "by streams"])
@pytest.mark.parametrize("ending", ["", "raise SystemExit(3)"], ids=["ends", "crashes"])
def test_a_member_that_never_opens_its_channels_does_not_hang_the_leader(
    laboratory: Laboratory, ending: str, *, by_name: bool
) -> None:
    talked = talk(laboratory, LEADER, [ending, ending], by_name=by_name)
    assert (talked.leader.status, talked.said) == (RunStatus.OK, "-100"), talked.errors
    assert talked.leader.ended == 2
    assert talked.leader.wall_ms < 10_000


def test_a_member_that_says_all_and_leaves_before_it_is_heard_was_heard(laboratory: Laboratory) -> None:
    late = "import time\ntime.sleep(0.3)\nprint(open('/proc/self/fd/3').read().strip())"
    talked = talk(laboratory, late, ["print('said', flush=True)"], by_name=False)
    assert (talked.said, talked.members[0].ended) == ("said", 0), talked.errors


def test_one_who_dies_while_the_others_wait_ended_first(laboratory: Laboratory) -> None:
    crash = "raise SystemExit(3)"
    talked = talk(laboratory, LEADER, [STEP, crash, PATIENT], limits=SHORT)
    crashed, waiting = talked.members[1:]
    assert (crashed.status, waiting.status) == (RunStatus.RE, RunStatus.WALL_TLE)
    assert crashed.ended < min(waiting.ended, talked.leader.ended)


def test_a_leader_that_dies_ends_the_talk_of_all(laboratory: Laboratory) -> None:
    talked = talk(laboratory, "raise SystemExit(3)", [PATIENT, STEP, PATIENT])
    assert talked.leader.status is RunStatus.RE
    assert [each.status for each in talked.members] == [RunStatus.OK, RunStatus.RE, RunStatus.OK]
    assert talked.leader.ended == 0
    assert max(each.wall_ms for each in talked.members) < 10_000


@pytest.mark.parametrize(
    "idler",
    ["import time\ntime.sleep(1000)", PATIENT, "import signal\nsignal.pause()"],
    ids=["sleeps", "reads", "waits"],
)
def test_a_member_that_says_nothing_ends_at_its_wall_limit(laboratory: Laboratory, idler: str) -> None:
    wordless = "given = open('/proc/self/fd/3')\nto = open('/proc/self/fd/4', 'w')\nprint(given.read())"
    talked = talk(laboratory, wordless, [idler], limits=SHORT)
    assert (talked.members[0].status, talked.members[0].ended) == (RunStatus.WALL_TLE, 0)
    assert talked.leader.status is RunStatus.OK


@pytest.mark.parametrize("where", ["/proc/self/fd/4", "/dev/stdout"])
def test_a_flood_is_counted_where_it_comes_from(laboratory: Laboratory, where: str) -> None:
    flood = f"to = open('{where}', 'w')\nwhile True: print('x' * 1000, file=to)"
    drain = """
given = [open(f'/proc/self/fd/{3 + 2 * place}', 'rb') for place in range(COUNT)]
while given[0].read(1 << 16): pass
"""
    limits = SandboxLimits(cpu_ms=500, wall_ms=20_000, output_bytes=1 << 20)
    talked = talk(laboratory, drain, [flood, PATIENT], limits=limits)
    assert [each.status for each in talked.members] == [RunStatus.OLE, RunStatus.OK]
    assert talked.leader.status is RunStatus.OK


def test_children_of_a_member_end_with_it_and_close_its_channels(laboratory: Laboratory) -> None:
    forking = STEP + "\nimport os, time\nfor _ in range(5):\n    if not os.fork(): time.sleep(1000)"
    reads_on = LEADER.replace("print(number)\n", "print(number, repr(given.read()))\n")
    talked = talk(laboratory, reads_on, [forking])
    assert (talked.said, talked.members[0].status) == ("11 ''", RunStatus.OK), talked.errors


def test_a_member_reaches_nothing_of_the_others(laboratory: Laboratory) -> None:
    talked = talk(laboratory, LEADER, [OTHERS + STEP, OTHERS + STEP])
    assert (talked.said, talked.errors[1:]) == ("12", ["", ""])


def test_what_a_member_does_to_its_own_channels_is_its_own_loss(laboratory: Laboratory) -> None:
    """It may write where it should read: only it would hear that. The leader is not deceived."""
    mischief = """
import os
for number in (3, 4):
    end = os.open(f'/proc/self/fd/{number}', os.O_RDWR)
    os.write(end, b'99' * 10)
    os.close(end)
"""
    talked = talk(laboratory, LEADER, [mischief + "raise SystemExit(3)", STEP], limits=SHORT)
    assert talked.members[0].status is RunStatus.RE
    assert talked.members[0].ended < talked.leader.ended
