"""What a setter sends is what a worker gets, and nonsense is refused by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from deepoj_domain.documents import JUDGING
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.role import SERVICE_ACCOUNT, Actor, Role
from deepoj_domain.kernel.score import ZERO, Score
from deepoj_domain.question.case import MOST_FILE_NAME
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
    programs_of,
)
from deepoj_domain.question.limits import Limits
from deepoj_domain.question.revision import (
    MOST_ARGUMENTS,
    MOST_CASE_FILES,
    MOST_CASES,
    MOST_NAME,
    Judging,
)
from deepoj_domain.question.suite import GroupScoring, OnReject, StopPolicy
from deepoj_domain.testing import BOB, some_content
from deepoj_kit.documents import Document
from deepoj_kit.grpc.limits import BATCH_MESSAGE
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.question.v1 import question_pb2 as pb
from deepoj_question.inbound.grpc import mapper
from deepoj_question.inbound.grpc.judge_specs import read_tests, write_judging
from deepoj_question.inbound.grpc.mapper import draft
from deepoj_question.outbound.postgres.search_statement import list_statement
from deepoj_question.queries.ports import Search

FILE = pb.ObjectRef(sha256=hash_of(b"x"))
DOCUMENT = Document(JUDGING, InvalidValueError)


def points(value: int) -> judging_pb2.Score:
    return judging_pb2.Score(micros=value * 1_000_000)


def a_spec(checker: pb.Checker) -> pb.JudgeSpec:
    arguments = None
    if checker.HasField("program") or checker.builtin.mode == pb.BUILTIN_MODE_ICPC:
        arguments = pb.CheckerArguments(words=["case_sensitive"])
    return pb.JudgeSpec(
        cases=[
            pb.Case(
                name="1", input=FILE, answer=FILE, group="a", points=points(10), sample=True,
                reject_points=points(1), checker_arguments=arguments,
            ),
            pb.Case(
                name="2", input=FILE, answer=FILE, group="b", points=points(0), reject_points=points(0)
            ),
        ],
        groups=[
            pb.Group(name="a", scoring=pb.GROUP_SCORING_SUM, points=points(10), break_on_reject=True),
            pb.Group(name="b", scoring=pb.GROUP_SCORING_ALL, points=points(5), depends_on=["a"]),
        ],
        checker=checker,
        stop_at_first_failure=True,
    )  # fmt: skip


def limits(**per_language: int) -> pb.Limits:
    made = pb.Limits(
        memory_bytes=1 << 28, output_bytes=1 << 20, stack_bytes=1 << 23, processes=4, source_bytes=9
    )
    made.time.FromMilliseconds(1500)
    for language, milliseconds in per_language.items():
        own = made.per_language.add(language=language)
        own.time.FromMilliseconds(milliseconds)
    return made


def a_draft(spec: pb.JudgeSpec) -> pb.Draft:
    return pb.Draft(
        slug="sum",
        statements=[pb.Statement(locale="en", title="Sum", markdown="Add.")],
        limits=limits(python3=4000),
        languages=["c11", "python3"],
        judging=spec,
    )


def builtin(mode: pb.BuiltinMode.ValueType, **options: bool | str) -> pb.Checker:
    checker = pb.BuiltinChecker(mode=mode)
    for name, value in options.items():
        setattr(checker, name, value)
    return pb.Checker(builtin=checker)


def program(**options: object) -> pb.Checker:
    made = pb.CheckerProgram(
        language="cpp17",
        sources=[pb.NamedObject(name="c.cpp", object=FILE), pb.NamedObject(name="lib/t.h", object=FILE)],
        arguments=["-x"],
        convention=pb.CHECKER_CONVENTION_TESTLIB,
        interactive=bool(options.get("interactive")),
        scores=bool(options.get("scores")),
    )
    if options.get("limited"):
        made.limits.memory_bytes, made.limits.output_bytes = 1 << 20, 1 << 20
        made.limits.time.FromMilliseconds(100)
    return pb.Checker(program=made)


def judging_of(message: pb.Draft) -> Judging:
    content = draft(message).content(None)
    assert content is not None
    return content.judging


@pytest.mark.parametrize(
    "checker",
    [
        builtin(pb.BUILTIN_MODE_EXACT),
        builtin(pb.BUILTIN_MODE_LINES, ignore_trailing_space=True, collapse_spaces=True),
        builtin(pb.BUILTIN_MODE_LINES, normalise_unicode=True),
        builtin(pb.BUILTIN_MODE_TOKENS, ignore_case=True, normalise_unicode=True),
        builtin(pb.BUILTIN_MODE_TOKENS, absolute_tolerance="1e-9", relative_tolerance="0"),
        builtin(pb.BUILTIN_MODE_ICPC, ignore_case=True, space_change_sensitive=True),
        builtin(pb.BUILTIN_MODE_ICPC, absolute_tolerance="1e-9"),
        program(),
        program(interactive=True, scores=True, limited=True),
    ],
)
def test_what_a_setter_sends_is_what_a_worker_gets(checker: pb.Checker) -> None:
    message = a_draft(a_spec(checker))
    judging = judging_of(message)
    assert DOCUMENT.decode(DOCUMENT.encode(judging)) == judging
    sent, allowance = message.judging, judging.allowance
    for case, wire in zip(judging.suite.cases, sent.cases, strict=True):
        own = tuple(wire.checker_arguments.words) if wire.HasField("checker_arguments") else None
        assert (case.name, case.group, case.is_sample) == (wire.name, wire.group, wire.sample)
        assert (case.input, case.answer) == (wire.input.sha256, wire.answer.sha256)
        assert (case.points.micros, case.reject_points.micros) == (
            wire.points.micros,
            wire.reject_points.micros,
        )
        assert case.checker_arguments == own
    for group, wire_group in zip(judging.suite.groups, sent.groups, strict=True):
        assert (group.name, group.points.micros) == (wire_group.name, wire_group.points.micros)
        assert (group.depends_on, group.unbounded) == (tuple(wire_group.depends_on), wire_group.unbounded)
        assert (group.on_reject is OnReject.BREAK) == wire_group.break_on_reject
        assert f"GROUP_SCORING_{group.scoring.name}" == pb.GroupScoring.Name(wire_group.scoring)
    assert judging.suite.stop is StopPolicy.FIRST_FAILURE
    assert judging.languages == frozenset(message.languages)
    assert (allowance.time_ms, allowance.memory_bytes, allowance.output_bytes) == (1500, 1 << 28, 1 << 20)
    assert (allowance.stack_bytes, allowance.processes, allowance.source_bytes) == (1 << 23, 4, 9)
    assert [(own.language, own.time_ms) for own in allowance.per_language] == [("python3", 4000)]


def test_what_a_setter_sends_of_a_submission_and_of_a_case_is_shown_again() -> None:
    spec = a_spec(program(interactive=True))
    spec.checker.after.CopyFrom(program().program)
    spec.cases[0].memory_bytes = 1 << 24
    spec.cases[0].time.FromMilliseconds(500)
    spec.cases[0].arguments.extend(["", "a b", "'é\""])
    spec.cases[0].files.add(name="maps/a.txt", object=FILE)
    spec.groups[1].lowered_by_dependencies = True
    named = pb.NamedObject(name="grader.py", object=FILE)
    spec.form.included.add(languages=["python3"], files=[named], main="grader.py", source_name="solution.py")
    spec.form.included.add(languages=["java"], files=[named], before="grader.py")
    spec.form.included.add(languages=["c11"], files=[named], after="grader.py")
    spec.cases[1].of_source = True
    spec.source_checker.CopyFrom(program().program)
    spec.source_checker.convention, spec.source_checker.passes = pb.CHECKER_CONVENTION_SOURCE, 1
    judging = judging_of(a_draft(spec))
    assert (judging.suite.cases[0].time_ms, judging.suite.cases[0].memory_bytes) == (500, 1 << 24)
    assert [each.passes for each in programs_of(judging.checker)] == [1, 1]
    assert judging.suite.cases[0].arguments == ("", "a b", "'é\"")
    assert judging.suite.cases[0].files == (SourceFile("maps/a.txt", hash_of(b"x")),)
    assert DOCUMENT.decode(DOCUMENT.encode(judging)) == judging
    shown = write_judging(judging)
    assert shown.cases[0].arguments == spec.cases[0].arguments
    assert shown.cases[0].files == spec.cases[0].files
    assert shown.form.included == spec.form.included
    assert (shown.source_checker, shown.cases[1].of_source) == (spec.source_checker, True)
    assert shown.checker.after.sources == spec.checker.program.sources
    assert (shown.cases[0].time, shown.cases[0].memory_bytes) == (spec.cases[0].time, 1 << 24)
    assert [group.lowered_by_dependencies for group in shown.groups] == [False, True]
    plain = a_spec(builtin(pb.BUILTIN_MODE_EXACT))
    plain.form.file_names.input = "sum.in"
    assert write_judging(judging_of(a_draft(plain))).form.file_names.input == "sum.in"


def test_a_judge_spec_of_the_longest_cases_fits_a_message() -> None:
    judging = judging_of(a_draft(a_spec(program())))
    first = replace(judging.suite.cases[0], points=ZERO, reject_points=ZERO)
    long = replace(first, checker_arguments=("x" * (MOST_ARGUMENTS - 1),), arguments=("y" * 9,))
    files = (SourceFile("z" * MOST_FILE_NAME, hash_of(b"")),)
    cases = tuple(
        replace(long, name=f"{number:0{MOST_NAME}}", files=files if number < MOST_CASE_FILES else ())
        for number in range(MOST_CASES)
    )
    group = replace(judging.suite.groups[0], points=ZERO)
    largest = replace(judging, suite=replace(judging.suite, groups=(group,), cases=cases))
    assert len(DOCUMENT.encode(largest)) < BATCH_MESSAGE / 16


def test_without_groups_the_cases_are_one_group_worth_everything() -> None:
    spec = pb.JudgeSpec(
        cases=[pb.Case(name="1", input=FILE, answer=FILE)], checker=builtin(pb.BUILTIN_MODE_EXACT)
    )
    suite = judging_of(a_draft(spec)).suite
    [group] = suite.groups
    assert (group.name, group.scoring, group.points) == ("all", GroupScoring.MIN, Score.points(100))
    assert suite.cases[0].group == "all"


def broken(change: Callable[[pb.Draft], object]) -> pb.Draft:
    message = a_draft(a_spec(builtin(pb.BUILTIN_MODE_EXACT)))
    change(message)
    return message


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (broken(lambda d: d.judging.ClearField("checker")), "checker_missing"),
        (a_draft(a_spec(builtin(pb.BUILTIN_MODE_UNSPECIFIED))), "checker_mode_unknown"),
        (
            a_draft(a_spec(pb.Checker(program=pb.CheckerProgram(language="c11")))),
            "checker_convention_unknown",
        ),
        (broken(lambda d: d.judging.groups[0].ClearField("scoring")), "group_scoring_unknown"),
        (broken(lambda d: d.judging.cases[0].input.ClearField("sha256")), "hash_malformed"),
        (broken(lambda d: d.judging.ClearField("cases")), "no_cases"),
        (broken(lambda d: d.limits.time.FromMicroseconds(1)), "time_limit_malformed"),
        (broken(lambda d: d.limits.time.FromMilliseconds(-1)), "time_limit_out_of_range"),
        (broken(lambda d: d.ClearField("statements")), "no_statement"),
        (broken(lambda d: d.ClearField("slug")), "slug_malformed"),
        (broken(lambda d: d.languages.append("no language")), "language_malformed"),
        (broken(lambda d: d.tags.append("a,b")), "tag_malformed"),
    ],
)
def test_nonsense_is_refused_by_name(message: pb.Draft, code: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        draft(message).content(None)
    assert refused.value.code == code


def test_an_unknown_level_is_refused() -> None:
    message = a_draft(a_spec(builtin(pb.BUILTIN_MODE_EXACT)))
    message.level = 9  # type: ignore[assignment]  # as a newer client might
    with pytest.raises(InvalidValueError):
        draft(message)


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (pb.ListRequest(search="x" * 101), "search_too_long"),
        (pb.ListRequest(tags=["x"] * 21), "too_many_tags"),
        (pb.ListRequest(question_ids=[str(BOB)] * 10_001), "too_many_ids"),
        (pb.ListRequest(excluded_ids=[str(BOB)] * 10_001), "too_many_ids"),
        (pb.ListRequest(solvers=[common_pb2.Solvers()] * 10_001), "too_many_ids"),
        (pb.ListRequest(solvers=[common_pb2.Solvers(question_id="q")]), "question_id_malformed"),
        (pb.ListRequest(owner_id="bob"), "owner_id_malformed"),
    ],
)
def test_a_search_is_bounded(request_: pb.ListRequest, code: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        mapper.search(request_)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("size", "cursor", "code"),
    [(501, "", "page_too_large"), (1, "no cursor", "cursor_malformed"), (1, "YWJj", "cursor_malformed")],
)
def test_a_page_is_bounded_and_its_cursor_one_that_was_given_out(size: int, cursor: str, code: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        list_statement(
            Search(),
            mapper.page(common_pb2.PageRequest(size=size, cursor=cursor)),
            everything=False,
            own=None,
        )
    assert refused.value.code == code


def test_an_actor_is_somebody_a_guest_or_a_service() -> None:
    assert mapper.actor(common_pb2.Actor()) is None
    assert mapper.actor(common_pb2.Actor(role=common_pb2.ROLE_GUEST)) is None
    somebody = common_pb2.Actor(account_id=str(BOB), role=common_pb2.ROLE_SETTER)
    assert mapper.actor(somebody) == Actor(BOB, Role.SETTER)
    service = mapper.actor(common_pb2.Actor(role=common_pb2.ROLE_JUDGE))
    assert service == Actor(SERVICE_ACCOUNT, Role.JUDGE)
    with pytest.raises(InvalidValueError):
        mapper.actor(common_pb2.Actor(role=common_pb2.ROLE_CONTESTANT))


@pytest.mark.parametrize(
    "checker",
    [
        ExactChecker(),
        LineChecker(collapse_spaces=True),
        TokenChecker(case_sensitive=False),
        FloatChecker(absolute="1e-6"),
        IcpcChecker(relative="1e-9", space_change_sensitive=True),
        ProgramChecker(
            sources=(SourceFile("check.py", hash_of(b"x")),),
            language=language_slug("python3"),
            convention=Convention.TESTLIB,
            arguments=("a",),
            limits=Limits(1000, 65536, 1024),
        ),
    ],
    ids=lambda each: type(each).__name__,
)
def test_judging_goes_to_the_wire_and_back(checker: Checker) -> None:
    judging = replace(some_content().judging, checker=checker)
    back = read_tests(write_judging(judging))
    assert (back.suite, back.checker) == (judging.suite, judging.checker)
