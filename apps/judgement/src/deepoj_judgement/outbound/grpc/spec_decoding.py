"""A judge spec from the wire. What makes no sense raises InvalidValueError."""

from __future__ import annotations

from typing import Final

from deepoj_domain.kernel.digest import content_hash
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import LanguageSlug, language_slug
from deepoj_domain.kernel.score import Score
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import (
    Checker,
    Convention,
    ExactChecker,
    FloatChecker,
    LineChecker,
    ProgramChecker,
    TokenChecker,
)
from deepoj_domain.question.group import Group, GroupScoring
from deepoj_domain.question.limits import Limits
from deepoj_domain.question.suite import StopPolicy, Suite
from deepoj_judgement.commands.spec import JudgeSpec
from deepoj_proto.question.v1 import question_pb2 as pb

_KIB: Final = 1024
_DEFAULT_OUTPUT_KIB: Final = 16 * 1024
# Wall time catches programs that sleep; a busy machine must not turn CPU-bound ones late.
_WALL_FACTOR, _WALL_EXTRA_MS = 2, 1000
_ONLY_GROUP: Final = Group("all", Score.points(100))
_SCORING: Final = {pb.GROUP_SCORING_MIN: GroupScoring.MIN, pb.GROUP_SCORING_SUM: GroupScoring.SUM}
_CONVENTIONS: Final = {
    pb.CHECKER_CONVENTION_ICPC: Convention.ICPC,
    pb.CHECKER_CONVENTION_TESTLIB: Convention.TESTLIB,
}


def decode_spec(answer: pb.GetJudgeSpecResponse) -> JudgeSpec:
    base = _limits(answer.limits.time.ToMilliseconds(), answer.limits.memory_bytes, answer.limits)
    return JudgeSpec(
        suite=_suite(answer.spec),
        limits=base,
        checker=_checker(answer.spec.checker),
        languages=frozenset(map(language_slug, answer.languages)) or None,
        language_limits=tuple(_own_limits(each, answer.limits) for each in answer.limits.per_language),
    )


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
    cases = tuple(
        Case(
            name=case.name,
            group=case.group if spec.groups else _ONLY_GROUP.name,
            input=content_hash(case.input.sha256),
            answer=content_hash(case.answer.sha256),
            points=Score(case.points.micros) if spec.groups else Score(0),
            is_sample=case.sample,
        )
        for case in spec.cases
    )
    stop = StopPolicy.FIRST_FAILURE if spec.stop_at_first_failure else StopPolicy.RUN_ALL
    return Suite(groups, cases, stop)


def _group(group: pb.Group) -> Group:
    scoring = _SCORING.get(group.scoring)
    if scoring is None:
        raise InvalidValueError("group_scoring", f"group {group.name!r} has an unknown scoring")
    return Group(group.name, Score(group.points.micros), scoring, tuple(group.depends_on))


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
        case _:
            raise InvalidValueError("checker_mode", "the checker has an unknown mode")


def _program(program: pb.CheckerProgram) -> ProgramChecker:
    convention = _CONVENTIONS.get(program.convention)
    if convention is None:
        raise InvalidValueError("checker_convention", "the checker has an unknown convention")
    if len(program.sources) != 1:
        raise InvalidValueError("checker_sources", "a checker of one source file is supported")
    return ProgramChecker(
        source=content_hash(program.sources[0].object.sha256),
        language=language_slug(program.language),
        convention=convention,
        interactive=program.interactive,
        arguments=tuple(program.arguments),
    )
