"""Tests and checker of a revision: as a setter writes them, and as they are shown to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from deepoj_domain.kernel.digest import ContentHash, content_hash
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import LanguageSlug, language_slug
from deepoj_domain.kernel.score import ZERO, Score
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import (
    BuiltinOptions,
    Checker,
    Communication,
    Convention,
    Grader,
    ProgramChecker,
    SourceFile,
)
from deepoj_domain.question.limits import Allowance, Limits
from deepoj_domain.question.revision import Judging
from deepoj_domain.question.submission_form import SubmissionForm
from deepoj_domain.question.suite import Bundle, Group, GroupScoring, OnReject, StopPolicy, Suite
from deepoj_kit.grpc.mapping import Conversion, Mapper, Pair
from deepoj_proto.question.v1 import question_pb2 as pb
from deepoj_question.commands.draft import CheckedSuite

_KIB: Final = 1024
_DEFAULT_OUTPUT_KIB: Final = 16 * 1024
# A plain pass-or-fail problem is one group.
_ONLY_GROUP: Final = Group("all", Score.points(100))


def read_tests(spec: pb.JudgeSpec) -> CheckedSuite:
    groups, cases = tuple(map(_read_group, spec.groups)), tuple(map(_read_case, spec.cases))
    if not groups:
        groups = (_ONLY_GROUP,)
        cases = tuple(
            replace(case, group=_ONLY_GROUP.name, points=ZERO, reject_points=ZERO) for case in cases
        )
    stop = StopPolicy.FIRST_FAILURE if spec.stop_at_first_failure else StopPolicy.RUN_ALL
    suite = Suite(groups, cases, stop, tuple(map(_read_bundle, spec.bundles)))
    grader = _read_grader(spec.grader) if spec.HasField("grader") else None
    of_source = _read_program(spec.source_checker) if spec.HasField("source_checker") else None
    return CheckedSuite(suite, _read_checker(spec.checker), _read_form(spec.form), grader, of_source)


def write_judging(judging: Judging) -> pb.JudgeSpec:
    suite = judging.suite
    return pb.JudgeSpec(
        cases=map(_write_case, suite.cases),
        groups=map(_write_group, suite.groups),
        checker=_write_checker(judging.checker),
        stop_at_first_failure=suite.stop is StopPolicy.FIRST_FAILURE,
        form=None if judging.form == SubmissionForm() else _write_form(judging.form),
        bundles=map(_write_bundle, suite.bundles),
        grader=None if judging.grader is None else _write_grader(judging.grader),
        source_checker=None if judging.source_checker is None else _write_program(judging.source_checker),
    )


def _group(
    name: str,
    points: Score,
    scoring: GroupScoring,
    depends_on: tuple[str, ...],
    grader_arguments: tuple[str, ...],
    *,
    break_on_reject: bool,
    unbounded: bool,
    lowered_by_dependencies: bool,
) -> Group:
    on_reject = OnReject.BREAK if break_on_reject else OnReject.CONTINUE
    return Group(
        name, points, scoring, depends_on, on_reject, unbounded, lowered_by_dependencies, grader_arguments
    )


def _write_group(group: Group) -> pb.Group:
    written = _plain_group(group)
    written.break_on_reject = group.on_reject is OnReject.BREAK
    return written


def _read_checker(checker: pb.Checker) -> Checker:
    match checker.WhichOneof("kind"):
        case "builtin":
            return _read_builtin(checker.builtin).checker
        case "program":
            after = _read_program(checker.after) if checker.HasField("after") else None
            also = tuple(map(_read_program, checker.also))
            return replace(_read_program(checker.program), checker=after, also=also)
        case _:
            raise InvalidValueError("checker_missing", "a question needs a checker")


def _write_checker(checker: Checker) -> pb.Checker:
    if isinstance(checker, ProgramChecker):
        after = None if checker.checker is None else _write_program(checker.checker)
        also = map(_write_program, checker.also)
        return pb.Checker(program=_write_program(checker), after=after, also=also)
    return pb.Checker(builtin=_write_builtin(BuiltinOptions.of(checker)))


def _program(  # noqa: PLR0913 — one parameter a field
    language: LanguageSlug,
    sources: tuple[SourceFile, ...],
    arguments: tuple[str, ...],
    convention: Convention,
    limits: Limits | None,
    passes: int,
    communication: Communication | None,
    *,
    interactive: bool,
    scores: bool,
) -> ProgramChecker:
    return ProgramChecker(
        sources=sources,
        language=language,
        convention=convention,
        interactive=interactive,
        scores=scores,
        arguments=arguments,
        limits=limits,
        passes=passes or 1,
        communication=communication,
    )


def _read_limits(limits: pb.Limits) -> Limits:
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


def _write_limits(limits: Limits) -> pb.Limits:
    made = pb.Limits(memory_bytes=limits.memory_kib * _KIB, output_bytes=limits.output_kib * _KIB)
    made.time.FromMilliseconds(limits.cpu_ms)
    return made


def _read_object(message: pb.ObjectRef) -> ContentHash:
    return content_hash(message.sha256)


def _write_object(content: ContentHash) -> pb.ObjectRef:
    return pb.ObjectRef(sha256=content)


def _read_arguments(message: pb.CheckerArguments) -> tuple[str, ...]:
    return tuple(message.words)


def _write_arguments(words: tuple[str, ...]) -> pb.CheckerArguments:
    return pb.CheckerArguments(words=words)


def _wrong(what: str) -> Callable[[str, str], InvalidValueError]:
    """Name what a malformed field belongs to: its own name does not say it."""
    return lambda reason, message: InvalidValueError(f"{what}_{reason}", message)


_OBJECT: Final = Conversion(pb.ObjectRef, ContentHash, _read_object, _write_object)
_SOURCE: Final = Pair(pb.NamedObject, SourceFile, names={"content": "object"})
_CASES: Final = Mapper(
    Pair(pb.Case, Case, names={"is_sample": "sample", "time_ms": "time"}),
    _OBJECT,
    Conversion(pb.CheckerArguments, tuple[str, ...], _read_arguments, _write_arguments),
    _SOURCE,
    error=_wrong("case"),
)
_LIMITS: Final = Conversion(pb.Limits, Limits, _read_limits, _write_limits)
_CHECKERS: Final = Mapper(
    Pair(pb.CheckerProgram, ProgramChecker, made_by=_program),
    _SOURCE,
    _OBJECT,
    _LIMITS,
    parse={LanguageSlug: language_slug},
    error=_wrong("checker"),
)
_read_case: Final = _CASES.reader(pb.Case, Case)
_write_case: Final = _CASES.writer(Case, pb.Case)
_read_group: Final = Mapper(Pair(pb.Group, Group, made_by=_group), error=_wrong("group")).reader(
    pb.Group, Group
)
_plain_group: Final = Mapper(Pair(pb.Group, Group, unmapped=("on_reject", "break_on_reject"))).writer(
    Group, pb.Group
)
_BUNDLES: Final = Mapper(Pair(pb.Bundle, Bundle), error=_wrong("bundle"))
_read_bundle: Final = _BUNDLES.reader(pb.Bundle, Bundle)
_write_bundle: Final = _BUNDLES.writer(Bundle, pb.Bundle)
_GRADERS: Final = Mapper(
    Pair(pb.Grader, Grader),
    _SOURCE,
    _OBJECT,
    _LIMITS,
    parse={LanguageSlug: language_slug},
    error=_wrong("grader"),
)
_read_grader: Final = _GRADERS.reader(pb.Grader, Grader)
_write_grader: Final = _GRADERS.writer(Grader, pb.Grader)
_FORMS: Final = Mapper(_SOURCE, _OBJECT, parse={LanguageSlug: language_slug}, error=_wrong("form"))
_read_form: Final = _FORMS.reader(pb.SubmissionForm, SubmissionForm)
_write_form: Final = _FORMS.writer(SubmissionForm, pb.SubmissionForm)
_read_builtin: Final = _CHECKERS.reader(pb.BuiltinChecker, BuiltinOptions)
_write_builtin: Final = _CHECKERS.writer(BuiltinOptions, pb.BuiltinChecker)
_read_program: Final = _CHECKERS.reader(pb.CheckerProgram, ProgramChecker)
_write_program: Final = Mapper(
    Pair(pb.CheckerProgram, ProgramChecker, unmapped=("checker", "also")), _SOURCE, _OBJECT, _LIMITS
).writer(ProgramChecker, pb.CheckerProgram)
