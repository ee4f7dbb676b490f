"""A judge spec from the wire. What makes no sense raises InvalidValueError."""

from __future__ import annotations

from typing import Final

from deepoj_domain.kernel.digest import content_hash
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import LanguageSlug, language_slug
from deepoj_domain.kernel.score import ZERO, Score
from deepoj_domain.question.case import Case
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
    with_arguments,
)
from deepoj_domain.question.group import Group, GroupScoring, OnReject
from deepoj_domain.question.limits import Limits
from deepoj_domain.question.suite import StopPolicy, Suite
from deepoj_judgement.commands.spec import JudgeSpec
from deepoj_proto.question.v1 import question_pb2 as pb

_KIB: Final = 1024
_DEFAULT_OUTPUT_KIB: Final = 16 * 1024
# Wall time catches programs that sleep; a busy machine must not turn CPU-bound ones late.
_WALL_FACTOR, _WALL_EXTRA_MS = 2, 1000
_ONLY_GROUP: Final = Group("all", Score.points(100))
_SCORING: Final = {
    pb.GROUP_SCORING_MIN: GroupScoring.MIN,
    pb.GROUP_SCORING_SUM: GroupScoring.SUM,
    pb.GROUP_SCORING_ALL: GroupScoring.ALL,
}
_CONVENTIONS: Final = {
    pb.CHECKER_CONVENTION_ICPC: Convention.ICPC,
    pb.CHECKER_CONVENTION_TESTLIB: Convention.TESTLIB,
}


def decode_spec(answer: pb.GetJudgeSpecResponse) -> JudgeSpec:
    suite, checker = _suite(answer.spec), _checker(answer.spec.checker)
    for case in suite.cases:
        # Found now, not in the middle of a judgement.
        with_arguments(checker, case.checker_arguments)
    return JudgeSpec(
        suite=suite,
        limits=_base_limits(answer.limits),
        checker=checker,
        languages=frozenset(map(language_slug, answer.languages)) or None,
        language_limits=tuple(_own_limits(each, answer.limits) for each in answer.limits.per_language),
    )


def _base_limits(limits: pb.Limits) -> Limits:
    return _limits(limits.time.ToMilliseconds(), limits.memory_bytes, limits)


def _own_limits(own: pb.LanguageLimits, base: pb.Limits) -> tuple[LanguageSlug, Limits]:
    milliseconds = own.time.ToMilliseconds() or base.time.ToMilliseconds()
    return language_slug(own.language), _limits(milliseconds, own.memory_bytes or base.memory_bytes, base)


def _limits(cpu_ms: int, memory_bytes: int, base: pb.Limits) -> Limits:
    return Limits(
        cpu_ms=cpu_ms,
        wall_ms=cpu_ms * _WALL_FACTOR + _WALL_EXTRA_MS,
        memory_kib=memory_bytes // _KIB,
        output_kib=base.output_bytes // _KIB or _DEFAULT_OUTPUT_KIB,
    )


def _suite(spec: pb.JudgeSpec) -> Suite:
    groups = tuple(_group(group) for group in spec.groups) or (_ONLY_GROUP,)
    cases = tuple(_case(case, grouped=bool(spec.groups)) for case in spec.cases)
    stop = StopPolicy.FIRST_FAILURE if spec.stop_at_first_failure else StopPolicy.RUN_ALL
    return Suite(groups, cases, stop)


def _case(case: pb.Case, *, grouped: bool) -> Case:
    own = case.HasField("checker_arguments")
    return Case(
        name=case.name,
        group=case.group if grouped else _ONLY_GROUP.name,
        input=content_hash(case.input.sha256),
        answer=content_hash(case.answer.sha256),
        points=Score(case.points.micros) if grouped else ZERO,
        is_sample=case.sample,
        reject_points=Score(case.reject_points.micros) if grouped else ZERO,
        checker_arguments=tuple(case.checker_arguments.words) if own else None,
    )


def _group(group: pb.Group) -> Group:
    scoring = _SCORING.get(group.scoring)
    if scoring is None:
        raise InvalidValueError("group_scoring", f"group {group.name!r} has an unknown scoring")
    return Group(
        group.name,
        Score(group.points.micros),
        scoring,
        depends_on=tuple(group.depends_on),
        on_reject=OnReject.BREAK if group.break_on_reject else OnReject.CONTINUE,
        unbounded=group.unbounded,
    )


def _checker(checker: pb.Checker) -> Checker:
    match checker.WhichOneof("kind"):
        case "builtin":
            return _builtin(checker.builtin)
        case "program":
            return _program(checker.program)
        case _:
            raise InvalidValueError("checker_missing", "the revision has no checker")


def _builtin(builtin: pb.BuiltinChecker) -> Checker:
    match builtin.mode:
        case pb.BUILTIN_MODE_EXACT:
            return ExactChecker()
        case pb.BUILTIN_MODE_LINES:
            return LineChecker(
                ignore_trailing_space=builtin.ignore_trailing_space,
                collapse_spaces=builtin.collapse_spaces,
                normalise_unicode=builtin.normalise_unicode,
            )
        case pb.BUILTIN_MODE_TOKENS if builtin.absolute_tolerance or builtin.relative_tolerance:
            return FloatChecker(
                absolute=builtin.absolute_tolerance or "0", relative=builtin.relative_tolerance or "0"
            )
        case pb.BUILTIN_MODE_TOKENS:
            return TokenChecker(
                case_sensitive=not builtin.ignore_case, normalise_unicode=builtin.normalise_unicode
            )
        case pb.BUILTIN_MODE_ICPC:
            return IcpcChecker(
                case_sensitive=not builtin.ignore_case,
                space_change_sensitive=builtin.space_change_sensitive,
                absolute=builtin.absolute_tolerance or None,
                relative=builtin.relative_tolerance or None,
            )
        case _:
            raise InvalidValueError("checker_mode", "the checker has an unknown mode")


def _program(program: pb.CheckerProgram) -> ProgramChecker:
    convention = _CONVENTIONS.get(program.convention)
    if convention is None:
        raise InvalidValueError("checker_convention", "the checker has an unknown convention")
    sources = (SourceFile(each.name, content_hash(each.object.sha256)) for each in program.sources)
    return ProgramChecker(
        sources=tuple(sources),
        language=language_slug(program.language),
        convention=convention,
        interactive=program.interactive,
        scores=program.scores,
        arguments=tuple(program.arguments),
        limits=_base_limits(program.limits) if program.HasField("limits") else None,
    )
