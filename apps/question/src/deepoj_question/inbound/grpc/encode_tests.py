"""Cases, groups and checker to the wire: the opposite of `decode_tests`."""

from __future__ import annotations

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

_KIB = 1024


def judge_spec(judging: Judging) -> pb.JudgeSpec:
    suite = judging.suite
    return pb.JudgeSpec(
        cases=map(_case, suite.cases),
        groups=map(_group, suite.groups),
        checker=_checker(judging.checker),
        stop_at_first_failure=suite.stop is StopPolicy.FIRST_FAILURE,
    )


def _case(case: Case) -> pb.Case:
    arguments = case.checker_arguments
    return pb.Case(
        name=case.name,
        input=_object(case.input),
        answer=_object(case.answer),
        group=case.group,
        points=_score(case.points),
        sample=case.is_sample,
        reject_points=_score(case.reject_points),
        checker_arguments=None if arguments is None else pb.CheckerArguments(words=arguments),
    )


def _group(group: Group) -> pb.Group:
    return pb.Group(
        name=group.name,
        scoring=pb.GroupScoring.Value(f"GROUP_SCORING_{group.scoring.name}"),
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
        convention=pb.CheckerConvention.Value(f"CHECKER_CONVENTION_{checker.convention.name}"),
        interactive=checker.interactive,
        scores=checker.scores,
        limits=None if checker.limits is None else _limits(checker.limits),
    )


def _limits(limits: Limits) -> pb.Limits:
    made = pb.Limits(memory_bytes=limits.memory_kib * _KIB, output_bytes=limits.output_kib * _KIB)
    made.time.FromMilliseconds(limits.cpu_ms)
    return made


def _object(content: ContentHash) -> pb.ObjectRef:
    return pb.ObjectRef(sha256=content)


def _score(score: Score) -> judging_pb2.Score:
    return judging_pb2.Score(micros=score.micros)
