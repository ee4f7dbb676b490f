"""Two programs that talk over their standard input and output."""

import io

import pytest

from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.host.talk import Part, run_talk
from deepoj_sandbox.request import RunRequest, SandboxLimits
from deepoj_sandbox.result import RunResult, RunStatus
from deepoj_sandbox.testing import Laboratory

INTERACTOR = """
import sys
low = 7391
for _ in range(40):
    guess = int(input())
    print("=" if guess == low else "<" if low < guess else ">", flush=True)
    if guess == low:
        print("found", file=sys.stderr)
        sys.exit(0)
sys.exit(42)
"""
SOLUTION = """
low, high = 0, 1 << 20
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    answer = input()
    if answer == "=": break
    if answer == "<": high = middle
    else: low = middle + 1
"""
BY_NAME = """
given, answer = open('/dev/stdin'), open('/dev/stdout', 'w')
print(21, file=answer, flush=True)
print(2 * int(given.readline()), file=open('/dev/stderr', 'w'))
"""
READER = "import sys; sys.stdin.read()"
SPINNER = "while True: pass"
QUITTER = "print('bye')"
TALKER = "while True: print('x' * 1000, flush=True)"
HALF_CLOSER = """
import os, sys
print(21, flush=True)
os.close(1)
sys.exit(0 if sys.stdin.read() == "42\\n" else 43)
"""
DOUBLER = "import sys; print(2 * int(sys.stdin.read()))"
FLOOD = "import sys\nfor _ in range(4000): sys.stdout.write('x' * 10000)"
FLOOD_BY_A_CHILD = "import os, sys\nif os.fork(): os.wait()\nelse:\n for _ in range(4000): print('x' * 10000)"
DRAIN = "import sys\nwhile sys.stdin.read(1 << 16): pass"
HOARDER = "import sys\nheld = []\nwhile data := sys.stdin.read(1 << 20): held.append(data * 4)"


def pair(
    laboratory: Laboratory, first: str, second: str, limits: SandboxLimits
) -> tuple[RunResult, RunResult, bytes, bytes]:
    boxes = laboratory.workshop.make(), laboratory.workshop.make()
    errors = io.BytesIO(), io.BytesIO()
    request = RunRequest(argv=("/usr/bin/python3", "/app/p.py"), limits=limits)
    try:
        for box, source in zip(boxes, (first, second), strict=True):
            laboratory.put(box, "p.py", source.encode())
        member, leader = map(Part, boxes, (request, request), errors)
        second_result, first_result = run_talk(leader, [member], laboratory.directory)
        for box in boxes:
            assert laboratory.run(box, "/bin/true").status is RunStatus.OK
        return first_result, second_result, errors[0].getvalue(), errors[1].getvalue()
    finally:
        for box in boxes:
            box.close()


def test_interactor_and_solution_talk_and_both_have_results(laboratory: Laboratory) -> None:
    limits = SandboxLimits(cpu_ms=3000, wall_ms=20_000)
    solution, interactor, _, said = pair(laboratory, SOLUTION, INTERACTOR, limits)
    assert (solution.status, interactor.status) == (RunStatus.OK, RunStatus.OK)
    assert said == b"found\n"


def test_both_sides_open_their_streams_by_name(laboratory: Laboratory) -> None:
    limits = SandboxLimits(cpu_ms=3000, wall_ms=20_000)
    first, second, *said = pair(laboratory, BY_NAME, BY_NAME, limits)
    assert (first.status, second.status, said) == (RunStatus.OK, RunStatus.OK, [b"42\n", b"42\n"])


def test_two_that_wait_for_each_other_end_at_the_wall_limit(laboratory: Laboratory) -> None:
    first, second, _, _ = pair(laboratory, READER, READER, SandboxLimits(cpu_ms=3000, wall_ms=700))
    # The first to be killed closes its pipe, which may let the other one finish.
    assert RunStatus.WALL_TLE in {first.status, second.status}
    assert {first.status, second.status} <= {RunStatus.WALL_TLE, RunStatus.OK}


def test_the_end_of_one_is_seen_by_the_other(laboratory: Laboratory) -> None:
    first, second, _, _ = pair(laboratory, QUITTER, READER, SandboxLimits(cpu_ms=3000, wall_ms=20_000))
    assert (first.status, second.status) == (RunStatus.OK, RunStatus.OK)


@pytest.mark.parametrize("order", [(QUITTER, READER), (READER, QUITTER), (SPINNER, READER)])
def test_who_ends_because_the_other_did_is_not_first(laboratory: Laboratory, order: tuple[str, str]) -> None:
    first, second, _, _ = pair(laboratory, *order, SandboxLimits(cpu_ms=500, wall_ms=20_000))
    assert (first.ended, second.ended) == (int(order[0] is READER), int(order[1] is READER))


def test_a_limit_of_one_does_not_hang_the_other(laboratory: Laboratory) -> None:
    first, second, _, _ = pair(laboratory, SPINNER, READER, SandboxLimits(cpu_ms=300, wall_ms=20_000))
    assert (first.status, second.status) == (RunStatus.TLE, RunStatus.OK)


def test_writing_to_one_that_has_gone_ends_the_writer(laboratory: Laboratory) -> None:
    first, second, complaint, _ = pair(
        laboratory, TALKER, QUITTER, SandboxLimits(cpu_ms=3000, wall_ms=20_000)
    )
    assert (first.status, second.status) == (RunStatus.RE, RunStatus.OK)
    assert b"BrokenPipeError" in complaint


def test_when_one_cannot_start_both_boxes_are_destroyed(laboratory: Laboratory) -> None:
    boxes = laboratory.workshop.make(), laboratory.workshop.make()
    limits = SandboxLimits(cpu_ms=1000, wall_ms=20_000)
    good = RunRequest(argv=("/bin/cat",), limits=limits)
    bad = RunRequest(argv=("/app/absent",), limits=limits)
    leader, member = Part(boxes[0], good, io.BytesIO()), Part(boxes[1], bad, io.BytesIO())
    with pytest.raises(SandboxError, match="spawn"):
        run_talk(leader, [member], laboratory.directory)
    assert all(box.closed for box in boxes)


@pytest.mark.parametrize("order", [(HALF_CLOSER, DOUBLER), (DOUBLER, HALF_CLOSER)])
def test_who_closes_its_output_and_goes_on_ends_the_others_input(
    laboratory: Laboratory, order: tuple[str, str]
) -> None:
    first, second, _, _ = pair(laboratory, *order, SandboxLimits(cpu_ms=3000, wall_ms=60_000))
    assert (first.status, second.status) == (RunStatus.OK, RunStatus.OK)
    assert max(first.wall_ms, second.wall_ms) < 30_000
    assert (first.ended, second.ended) == (int(order[1] is DOUBLER), int(order[0] is DOUBLER))


@pytest.mark.parametrize("flood", [FLOOD, FLOOD_BY_A_CHILD], ids=["itself", "a child"])
@pytest.mark.parametrize("reader", [DRAIN, HOARDER], ids=["to one who forgets", "to one who hoards"])
def test_a_flood_is_the_output_limit_of_whoever_sends_it(
    laboratory: Laboratory, flood: str, reader: str
) -> None:
    limits = SandboxLimits(cpu_ms=5000, wall_ms=60_000, memory_bytes=64 << 20, output_bytes=1 << 20)
    sender, receiver, _, _ = pair(laboratory, flood, reader, limits)
    assert sender.status is RunStatus.OLE
    assert sender.stdout_bytes > 1 << 20
    assert receiver.status is (RunStatus.OK if reader is DRAIN else RunStatus.MLE)
    assert receiver.read_bytes > 1 << 20


def test_what_stays_below_the_output_limit_is_no_flood(laboratory: Laboratory) -> None:
    limits = SandboxLimits(cpu_ms=5000, wall_ms=60_000, output_bytes=1 << 20)
    talker = "print('x' * 1000000, flush=True)"
    first, second, _, _ = pair(laboratory, talker, READER, limits)
    assert (first.status, second.status) == (RunStatus.OK, RunStatus.OK)
    assert 1_000_000 <= first.stdout_bytes <= 1_010_000


SLEEPER = "import time\nwhile True: time.sleep(1000)"
SLOW_TALKER = """
import time
for _ in range(16):
    time.sleep(0.1)
    print('x', flush=True)
    input()
"""
ECHO = "for _ in range(16): input(); print('y', flush=True)"


def test_two_that_wait_for_each_other_end_long_before_the_wall_limit(laboratory: Laboratory) -> None:
    limits = SandboxLimits(cpu_ms=3000, wall_ms=60_000, idle_ms=800)
    solution, interactor, _, _ = pair(laboratory, "input()", READER, limits)
    assert (solution.status, interactor.status) == (RunStatus.WALL_TLE, RunStatus.OK)
    assert (solution.ended, interactor.ended) == (0, 1)
    assert solution.wall_ms < limits.wall_ms / 2


def test_who_sleeps_on_when_the_other_is_gone_ends_as_late_too(laboratory: Laboratory) -> None:
    limits = SandboxLimits(cpu_ms=3000, wall_ms=60_000, idle_ms=400)
    for first, second in ((READER, SLEEPER), (SLEEPER, QUITTER)):
        results = pair(laboratory, first, second, limits)[:2]
        assert {each.status for each in results if each.wall_ms > limits.idle_ms} == {RunStatus.WALL_TLE}
        assert all(each.wall_ms < limits.wall_ms / 2 for each in results)


def test_who_passes_a_byte_now_and_then_is_not_silent(laboratory: Laboratory) -> None:
    limits = SandboxLimits(cpu_ms=3000, wall_ms=60_000, idle_ms=400)
    solution, interactor, _, _ = pair(laboratory, ECHO, SLOW_TALKER, limits)
    assert (solution.status, interactor.status) == (RunStatus.OK, RunStatus.OK)
    assert interactor.wall_ms > limits.idle_ms


def test_who_computes_while_the_other_waits_is_not_silent(laboratory: Laboratory) -> None:
    limits = SandboxLimits(cpu_ms=600, wall_ms=60_000, idle_ms=200)
    solution, _, _, _ = pair(laboratory, SPINNER, READER, limits)
    assert solution.status is RunStatus.TLE
