"""Cases, groups and checker from the wire. What makes no sense raises InvalidValueError."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from deepoj_domain.kernel.digest import content_hash
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.score import ZERO, Score
from deepoj_domain.question.allowance import Allowance
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import (
    BuiltinOptions,
    Checker,
    Convention,
    ProgramChecker,
    SourceFile,
)
from deepoj_domain.question.group import Group, GroupScoring, OnReject
from deepoj_domain.question.limits import Limits
from deepoj_domain.question.suite import StopPolicy, Suite
from deepoj_kit.grpc.mapping import Mapper
from deepoj_proto.question.v1 import question_pb2 as pb
from deepoj_question.commands.draft import CheckedSuite
from deepoj_question.inbound.grpc.decode import enum

_KIB: Final = 1024
_DEFAULT_OUTPUT_KIB: Final = 16 * 1024
# A plain pass-or-fail problem is one group.
_ONLY_GROUP: Final = Group("all", Score.points(100))
_SCORING: Final[Mapping[int, GroupScoring]] = {
    pb.GroupScoring.Value(f"GROUP_SCORING_{each.name}"): each for each in GroupScoring
}
_CONVENTIONS: Final[Mapping[int, Convention]] = {
    pb.CheckerConvention.Value(f"CHECKER_CONVENTION_{each.name}"): each for each in Convention
}


def _wrong_checker(reason: str, message: str) -> InvalidValueError:
    return InvalidValueError(f"checker_{reason}", message)


_builtin: Final = Mapper(error=_wrong_checker).reader(pb.BuiltinChecker, BuiltinOptions)


def tests(spec: pb.JudgeSpec) -> CheckedSuite:
    groups = tuple(_group(group) for group in spec.groups) or (_ONLY_GROUP,)
    cases = tuple(_case(case, grouped=bool(spec.groups)) for case in spec.cases)
    stop = StopPolicy.FIRST_FAILURE if spec.stop_at_first_failure else StopPolicy.RUN_ALL
    return CheckedSuite(Suite(groups, cases, stop), _checker(spec.checker))


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
    return Group(
        group.name,
        Score(group.points.micros),
        enum(_SCORING, group.scoring, "group_scoring"),
        depends_on=tuple(group.depends_on),
        on_reject=OnReject.BREAK if group.break_on_reject else OnReject.CONTINUE,
        unbounded=group.unbounded,
    )


def _checker(checker: pb.Checker) -> Checker:
    match checker.WhichOneof("kind"):
        case "builtin":
            return _builtin(checker.builtin).checker
        case "program":
            return _program(checker.program)
        case _:
            raise InvalidValueError("checker_missing", "a question needs a checker")


def _program(program: pb.CheckerProgram) -> ProgramChecker:
    return ProgramChecker(
        sources=tuple(SourceFile(each.name, content_hash(each.object.sha256)) for each in program.sources),
        language=language_slug(program.language),
        convention=enum(_CONVENTIONS, program.convention, "checker_convention"),
        interactive=program.interactive,
        scores=program.scores,
        arguments=tuple(program.arguments),
        limits=_limits(program.limits) if program.HasField("limits") else None,
    )


def _limits(limits: pb.Limits) -> Limits:
    # Within the same bounds as those of a solution.
    allowed = Allowance(
        time_ms=limits.time.ToMilliseconds(),
        memory_bytes=limits.memory_bytes,
        output_bytes=limits.output_bytes,
    )
    return Limits(
        cpu_ms=allowed.time_ms,
        memory_kib=allowed.memory_bytes // _KIB,
        output_kib=allowed.output_bytes // _KIB or _DEFAULT_OUTPUT_KIB,
    )
