"""A judge spec from the wire becomes a value, or says what is wrong with it."""

from __future__ import annotations

import pytest
from google.protobuf.duration_pb2 import Duration

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.score import ZERO, Score
from deepoj_domain.question.checker import (
    Checker,
    Convention,
    ExactChecker,
    FloatChecker,
    IcpcChecker,
    LineChecker,
    ProgramChecker,
    SourceFile,
    TokenChecker,
)
from deepoj_domain.question.group import Group, GroupScoring, OnReject
from deepoj_domain.question.limits import Limits
from deepoj_domain.question.suite import StopPolicy
from deepoj_judgement.outbound.grpc.spec_decoding import decode_spec
from deepoj_judgement.outbound.toolchains.table import language_table
from deepoj_proto.common.v1 import judging_pb2
from deepoj_proto.question.v1 import question_pb2 as pb

CPP, PYTHON = language_slug("cpp17"), language_slug("python3")
HASH = hash_of(b"x")
FILE = pb.ObjectRef(sha256=HASH, size=1)


def an_answer(checker: pb.Checker, **spec: object) -> pb.GetJudgeSpecResponse:
    answer = pb.GetJudgeSpecResponse(limits=pb.Limits(memory_bytes=64 << 20))
    answer.limits.time.FromMilliseconds(1500)
    answer.spec.checker.CopyFrom(checker)
    answer.spec.cases.append(pb.Case(name="1", input=FILE, answer=FILE))
    answer.spec.stop_at_first_failure = bool(spec.get("stop"))
    return answer


def builtin(mode: pb.BuiltinMode.ValueType, **options: bool | str) -> pb.Checker:
    checker = pb.BuiltinChecker(mode=mode)
    for name, value in options.items():
        setattr(checker, name, value)
    return pb.Checker(builtin=checker)


PROGRAM = pb.CheckerProgram(
    language="cpp17",
    sources=[pb.NamedObject(name="c.cpp", object=FILE)],
    convention=pb.CHECKER_CONVENTION_ICPC,
)


RICH_PROGRAM = pb.CheckerProgram(
    language="python3",
    sources=[pb.NamedObject(name=name, object=FILE) for name in ("main.py", "lib/help.py")],
    arguments=["a", "b c"],
    convention=pb.CHECKER_CONVENTION_TESTLIB,
    interactive=True,
    scores=True,
    limits=pb.Limits(time=Duration(seconds=2), memory_bytes=1 << 20, output_bytes=8 << 10),
)


@pytest.mark.parametrize(
    ("wire", "checker"),
    [
        (builtin(pb.BUILTIN_MODE_EXACT), ExactChecker()),
        (builtin(pb.BUILTIN_MODE_LINES, collapse_spaces=True),
         LineChecker(ignore_trailing_space=False, collapse_spaces=True)),
        (builtin(pb.BUILTIN_MODE_TOKENS, ignore_case=True), TokenChecker(case_sensitive=False)),
        (builtin(pb.BUILTIN_MODE_TOKENS, absolute_tolerance="1e-6"), FloatChecker(absolute="1e-6")),
        (builtin(pb.BUILTIN_MODE_ICPC), IcpcChecker(case_sensitive=True)),
        (builtin(pb.BUILTIN_MODE_ICPC, ignore_case=True, space_change_sensitive=True),
         IcpcChecker(space_change_sensitive=True)),
        (builtin(pb.BUILTIN_MODE_ICPC, ignore_case=True, relative_tolerance="1e-6"),
         IcpcChecker(relative="1e-6")),
        (pb.Checker(program=PROGRAM),
         ProgramChecker(sources=(SourceFile("c.cpp", HASH),), language=CPP, convention=Convention.ICPC)),
        (pb.Checker(program=RICH_PROGRAM),
         ProgramChecker(
             sources=(SourceFile("main.py", HASH), SourceFile("lib/help.py", HASH)), language=PYTHON,
             convention=Convention.TESTLIB, interactive=True, scores=True, arguments=("a", "b c"),
             limits=Limits(cpu_ms=2000, wall_ms=5000, memory_kib=1024, output_kib=8),
         )),
    ],
)  # fmt: skip
def test_every_kind_of_checker_is_read(wire: pb.Checker, checker: Checker) -> None:
    assert decode_spec(an_answer(wire)).checker == checker


@pytest.mark.parametrize(
    "wire", [pb.Checker(), builtin(pb.BUILTIN_MODE_UNSPECIFIED), pb.Checker(program=pb.CheckerProgram())]
)
def test_what_is_unknown_is_refused(wire: pb.Checker) -> None:
    with pytest.raises(InvalidValueError):
        decode_spec(an_answer(wire))


def test_without_groups_the_cases_are_one_group_worth_everything() -> None:
    spec = decode_spec(an_answer(builtin(pb.BUILTIN_MODE_EXACT), stop=True))
    assert [(group.name, group.points) for group in spec.suite.groups] == [("all", Score.points(100))]
    assert spec.suite.stop is StopPolicy.FIRST_FAILURE
    assert (spec.limits.cpu_ms, spec.limits.wall_ms, spec.limits.memory_kib) == (1500, 4000, 65_536)


def test_groups_and_what_a_case_has_of_its_own_are_read() -> None:
    answer = an_answer(builtin(pb.BUILTIN_MODE_ICPC, ignore_case=True))
    (only,) = answer.spec.cases
    only.group = "b"
    only.points.micros, only.reject_points.micros = 5_000_000, 1_000_000
    only.checker_arguments.words.extend(["float_tolerance", "1e-6"])
    answer.spec.cases.insert(0, pb.Case(name="0", input=FILE, answer=FILE, group="a"))
    answer.spec.groups.extend([
        pb.Group(name="a", scoring=pb.GROUP_SCORING_ALL, break_on_reject=True, unbounded=True),
        pb.Group(
            name="b", scoring=pb.GROUP_SCORING_SUM, depends_on=["a"],
            points=judging_pb2.Score(micros=5_000_000),
        ),
    ])  # fmt: skip
    suite = decode_spec(answer).suite
    assert suite.groups == (
        Group("a", ZERO, GroupScoring.ALL, on_reject=OnReject.BREAK, unbounded=True),
        Group("b", Score.points(5), GroupScoring.SUM, depends_on=("a",)),
    )
    assert [case.checker_arguments for case in suite.cases] == [None, ("float_tolerance", "1e-6")]
    assert suite.cases[1].reject_points == Score.points(1)


def test_arguments_the_checker_cannot_take_are_refused_at_once() -> None:
    answer = an_answer(builtin(pb.BUILTIN_MODE_EXACT))
    answer.spec.cases[0].checker_arguments.words.append("case_sensitive")
    with pytest.raises(InvalidValueError):
        decode_spec(answer)


def test_an_own_limit_of_a_language_is_taken_as_it_is() -> None:
    answer = an_answer(builtin(pb.BUILTIN_MODE_EXACT))
    own = answer.limits.per_language.add(language="python3")
    own.time.FromMilliseconds(4000)
    spec = decode_spec(answer)
    python = next(row for row in language_table() if row.slug == "python3")
    cpp = next(row for row in language_table() if row.slug == "cpp17")
    assert (spec.limits_for(python).cpu_ms, spec.limits_for(cpp).cpu_ms) == (4000, 1500)
