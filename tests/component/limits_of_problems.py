"""Fields of a problem as the front door describes them, each with what the service does with a value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from deepoj_bff.inbound.http.wire import problem as wire
from deepoj_bff.queries.views import problem
from deepoj_proto.question.v1 import question_pb2
from deepoj_question.inbound.grpc.mapper import draft

FILE = question_pb2.ObjectRef(sha256="0" * 64, size=1)
MIB = 1 << 20


def written(**fields: Any) -> object:  # noqa: ANN401 — the names of a message
    """What the service makes of a problem with these fields, as the first revision of it."""
    made: dict[str, Any] = {
        "slug": "sum",
        "statements": [question_pb2.Statement(locale="en", title="Sum", markdown="")],
        "limits": allowed(),
        "judging": judged(),
        **fields,
    }
    return draft(question_pb2.Draft(**made)).content(None)


def allowed(time_ms: int = 1000, **fields: Any) -> question_pb2.Limits:  # noqa: ANN401 — the names of a message
    made = question_pb2.Limits(**{"memory_bytes": MIB, **fields})
    made.time.FromMilliseconds(time_ms)
    return made


def limited(name: str, take: Callable[[question_pb2.Limits], object]) -> Callable[[int], object]:
    return lambda value: take(allowed(**{name: value}))


def for_language(time_ms: int = 1000, memory_bytes: int = MIB, language: str = "c11") -> object:
    own = question_pb2.LanguageLimits(language=language, memory_bytes=memory_bytes)
    own.time.FromMilliseconds(time_ms)
    return written(limits=allowed(per_language=[own]))


def judged(**fields: Any) -> question_pb2.JudgeSpec:  # noqa: ANN401 — the names of a message
    made: dict[str, Any] = {
        "cases": [case()],
        "checker": question_pb2.Checker(
            builtin=question_pb2.BuiltinChecker(mode=question_pb2.BUILTIN_MODE_ICPC)
        ),
        **fields,
    }
    return question_pb2.JudgeSpec(**made)


def case(name: str = "1", group: str = "", arguments: Sequence[str] | None = None) -> question_pb2.Case:
    own = None if arguments is None else question_pb2.CheckerArguments(words=arguments)
    return question_pb2.Case(name=name, group=group, input=FILE, answer=FILE, checker_arguments=own)


def grouped(*names: str) -> object:
    groups = [question_pb2.Group(name=name, scoring=question_pb2.GROUP_SCORING_MIN) for name in names]
    return written(judging=judged(groups=groups, cases=[case(name, group=name) for name in names]))


def checked(cases: Sequence[question_pb2.Case] = (), **fields: Any) -> object:  # noqa: ANN401 — the names of a message
    made: dict[str, Any] = {
        "language": "c11",
        "sources": [question_pb2.NamedObject(name="check.c", object=FILE)],
        "convention": question_pb2.CHECKER_CONVENTION_ICPC,
        **fields,
    }
    program = question_pb2.CheckerProgram(**made)
    checker = question_pb2.Checker(program=program)
    return written(judging=judged(checker=checker, cases=cases or [case()]))


def tolerated(text: str) -> object:
    # Digits, as a tolerance has them.
    builtin = question_pb2.BuiltinChecker(
        mode=question_pb2.BUILTIN_MODE_ICPC, absolute_tolerance="1" * len(text)
    )
    return written(judging=judged(checker=question_pb2.Checker(builtin=builtin)))


def stated(locale: str = "en", title: str = "Sum", markdown: str = "") -> object:
    return written(statements=[question_pb2.Statement(locale=locale, title=title, markdown=markdown)])


def locale(length: int) -> str:
    """Return a tag of as many characters, in parts of at most eight."""
    return ("xxxxxxxx" + "-xxxxxxxx" * 9)[:length]


def shown(**sample: str) -> object:
    return written(samples=[question_pb2.Sample(**sample)])


def furnished(*names: str) -> object:
    return written(
        assets=[question_pb2.Asset(name=name, content_type="image/png", object=FILE) for name in names]
    )


def numbered(count: int) -> list[str]:
    return [f"n{number}" for number in range(count)]


def locales(count: int) -> list[str]:
    return [f"xx-{number:04}" for number in range(count)]


TEXTS: list[tuple[type[msgspec.Struct], str, Callable[[str], object]]] = [
    (wire.ProblemDraft, "slug", lambda text: written(slug=text)),
    (problem.Statement, "locale", lambda text: stated(locale=locale(len(text)))),
    (problem.Statement, "title", lambda text: stated(title=text)),
    (problem.Statement, "markdown", lambda text: stated(markdown=text)),
    (problem.Sample, "input", lambda text: shown(input=text)),
    (problem.Sample, "output", lambda text: shown(output=text)),
    (problem.Sample, "note", lambda text: shown(note=text)),
    (problem.Asset, "name", furnished),
    (problem.LanguageLimits, "language", lambda text: for_language(language=text)),
    (wire.Case, "name", lambda text: written(judging=judged(cases=[case(text)]))),
    (wire.Case, "group", grouped),
    (wire.Group, "name", grouped),
    (wire.BuiltinChecker, "absolute_tolerance", tolerated),
    (wire.CheckerProgram, "language", lambda text: checked(language=text)),
    (
        wire.NamedObject,
        "name",
        lambda text: checked(sources=[question_pb2.NamedObject(name=text, object=FILE)]),
    ),
]
# 0 stands for "as the system has it", also where the least is more.
NUMBERS: list[tuple[type[msgspec.Struct], str, Callable[[int], object]]] = [
    (problem.ProblemLimits, "time", lambda value: written(limits=allowed(time_ms=value))),
    *(
        (problem.ProblemLimits, name, limited(name, lambda limits: written(limits=limits)))
        for name in ("memory_bytes", "output_bytes", "stack_bytes", "processes", "source_bytes")
    ),
    (problem.LanguageLimits, "time", lambda value: for_language(time_ms=value)),
    (problem.LanguageLimits, "memory_bytes", lambda value: for_language(memory_bytes=value)),
    (wire.CheckerLimits, "time", lambda value: checked(limits=allowed(time_ms=value))),
    *(
        (wire.CheckerLimits, name, limited(name, lambda limits: checked(limits=limits)))
        for name in ("memory_bytes", "output_bytes")
    ),
]
# By how many entries there are.
LISTS: list[tuple[type[msgspec.Struct], str, Callable[[int], object]]] = [
    (wire.ProblemDraft, "tags", lambda count: written(tags=numbered(count))),
    (
        wire.ProblemDraft,
        "statements",
        lambda count: written(
            statements=[question_pb2.Statement(locale=each, title="Sum") for each in locales(count)]
        ),
    ),
    (wire.ProblemDraft, "samples", lambda count: written(samples=[question_pb2.Sample()] * count)),
    (wire.ProblemDraft, "languages", lambda count: written(languages=numbered(count))),
    (wire.ProblemDraft, "assets", lambda count: furnished(*numbered(count))),
    (
        problem.ProblemLimits,
        "per_language",
        lambda count: written(
            limits=allowed(
                per_language=[question_pb2.LanguageLimits(language=each) for each in numbered(count)]
            )
        ),
    ),
    (
        wire.JudgeSpec,
        "cases",
        lambda count: written(judging=judged(cases=[case(each) for each in numbered(count)])),
    ),
    (wire.JudgeSpec, "groups", lambda count: grouped(*numbered(count))),
    (
        wire.CheckerProgram,
        "sources",
        lambda count: checked(
            sources=[question_pb2.NamedObject(name=each, object=FILE) for each in numbered(count)]
        ),
    ),
    (wire.CheckerProgram, "arguments", lambda count: checked(arguments=[""] * count)),
    (wire.CheckerArguments, "words", lambda count: checked(cases=[case(arguments=[""] * count)])),
]
