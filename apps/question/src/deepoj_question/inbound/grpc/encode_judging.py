"""What a worker is told about a revision."""

from __future__ import annotations

from typing import Final

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.score import Score
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import (
    Checker,
    ExactChecker,
    FloatChecker,
    IcpcChecker,
    LineChecker,
    ProgramChecker,
    TokenChecker,
)
from deepoj_domain.question.group import Group, OnReject
from deepoj_domain.question.limits import Limits
from deepoj_domain.question.revision import Judging
from deepoj_domain.question.suite import StopPolicy
from deepoj_proto.common.v1 import judging_pb2
from deepoj_proto.question.v1 import question_pb2 as pb
from deepoj_question.inbound.grpc import encode
from deepoj_question.inbound.grpc.decode_judging import CONVENTIONS, SCORING

_KIB: Final = 1024
_SCORING_OF: Final = {scoring: pb.GroupScoring.ValueType(number) for number, scoring in SCORING.items()}
_CONVENTION_OF: Final = {
    convention: pb.CheckerConvention.ValueType(number) for number, convention in CONVENTIONS.items()
}


def judge_spec(judging: Judging) -> pb.GetJudgeSpecResponse:
    suite = judging.suite
    spec = pb.JudgeSpec(
        cases=[_case(case) for case in suite.cases],
        groups=[_group(group) for group in suite.groups],
        checker=_checker(judging.checker),
        stop_at_first_failure=suite.stop is StopPolicy.FIRST_FAILURE,
    )
    return pb.GetJudgeSpecResponse(
        spec=spec,
        limits=encode.limits(judging.allowance),
        languages=sorted(judging.languages or ()),
        judge_hash=judging.hash,
    )


def _case(case: Case) -> pb.Case:
    own = case.checker_arguments
    return pb.Case(
        name=case.name,
        input=_object(case.input),
        answer=_object(case.answer),
        group=case.group,
        points=_score(case.points),
        sample=case.is_sample,
        reject_points=_score(case.reject_points),
        checker_arguments=None if own is None else pb.CheckerArguments(words=own),
    )


def _group(group: Group) -> pb.Group:
    return pb.Group(
        name=group.name,
        scoring=_SCORING_OF[group.scoring],
        points=_score(group.points),
        depends_on=group.depends_on,
        break_on_reject=group.on_reject is OnReject.BREAK,
        unbounded=group.unbounded,
    )


def _checker(checker: Checker) -> pb.Checker:
    if isinstance(checker, ProgramChecker):
        return pb.Checker(program=_program(checker))
    return pb.Checker(builtin=_builtin(checker))


def _builtin(
    checker: ExactChecker | LineChecker | TokenChecker | FloatChecker | IcpcChecker,
) -> pb.BuiltinChecker:
    match checker:
        case ExactChecker():
            return pb.BuiltinChecker(mode=pb.BUILTIN_MODE_EXACT)
        case LineChecker():
            return pb.BuiltinChecker(
                mode=pb.BUILTIN_MODE_LINES,
                ignore_trailing_space=checker.ignore_trailing_space,
                collapse_spaces=checker.collapse_spaces,
                normalise_unicode=checker.normalise_unicode,
            )
        case TokenChecker():
            return pb.BuiltinChecker(
                mode=pb.BUILTIN_MODE_TOKENS,
                ignore_case=not checker.case_sensitive,
                normalise_unicode=checker.normalise_unicode,
            )
        case FloatChecker():
            return pb.BuiltinChecker(
                mode=pb.BUILTIN_MODE_TOKENS,
                absolute_tolerance=checker.absolute,
                relative_tolerance=checker.relative,
            )
        case IcpcChecker():
            return pb.BuiltinChecker(
                mode=pb.BUILTIN_MODE_ICPC,
                ignore_case=not checker.case_sensitive,
                space_change_sensitive=checker.space_change_sensitive,
                absolute_tolerance=checker.absolute or "",
                relative_tolerance=checker.relative or "",
            )


def _program(checker: ProgramChecker) -> pb.CheckerProgram:
    return pb.CheckerProgram(
        language=checker.language,
        sources=[pb.NamedObject(name=each.name, object=_object(each.content)) for each in checker.sources],
        arguments=checker.arguments,
        convention=_CONVENTION_OF[checker.convention],
        interactive=checker.interactive,
        scores=checker.scores,
        limits=None if checker.limits is None else _limits(checker.limits),
    )


def _limits(limits: Limits) -> pb.Limits:
    return pb.Limits(
        time=encode.duration(limits.cpu_ms),
        memory_bytes=limits.memory_kib * _KIB,
        output_bytes=limits.output_kib * _KIB,
    )


def _object(content: ContentHash) -> pb.ObjectRef:
    return pb.ObjectRef(sha256=content)


def _score(score: Score) -> judging_pb2.Score:
    return judging_pb2.Score(micros=score.micros)
