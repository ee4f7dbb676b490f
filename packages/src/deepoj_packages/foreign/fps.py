"""FPS, the format that HUSTOJ writes: one XML file with many problems, their tests inside."""

import binascii
import re
from base64 import b64decode
from codecs import BOM_UTF8
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

from deepoj_domain.question.checker import Convention
from deepoj_packages.foreign.around import Around, included_around
from deepoj_packages.foreign.draft import Draft, Section, short_name_of
from deepoj_packages.foreign.fps_xml import Field, Item, items_of, one_of
from deepoj_packages.foreign.problem_set import RefusedProblem
from deepoj_packages.foreign.testlib import HEADER, common_header
from deepoj_packages.options import ReadingOptions
from deepoj_packages.refusal import PackageRefusedError, invalid, shortened, unsupported
from deepoj_packages.spec import (
    SECRET,
    FormatVersion,
    ProblemLimits,
    ProblemSpec,
    Validator,
)
from deepoj_packages.yamls import decimal_of

_HEAD_BYTES = 4096
_FPS = re.compile(rb"<fps[\s>]")
_MARKDOWN = re.compile(r"^\s*\[md\](.*)\[/md\]\s*$", re.DOTALL)
_KIB_OF_MIB = 1024
_POINTS = re.compile(r"\[\d+\]")
# What a problem may need that no judge here has, and what to say about it.
_REFUSED = {
    "interactor": "an interactor, which is not read from this format",
}
_NOTHING = frozenset({"", "0"})
_AROUND = {"prepend": "before", "append": "after"}
_JUDGES = {"spj": Convention.HUSTOJ, "tpj": Convention.TESTLIB}


def is_fps(file: Path) -> bool:
    """It is XML itself: an archive may hold one among its first bytes."""
    with file.open("rb") as opened:
        head = opened.read(_HEAD_BYTES).removeprefix(BOM_UTF8).lstrip()
    return head.startswith(b"<") and _FPS.search(head) is not None


def read_fps(
    file: Path, into: Path, options: ReadingOptions, top: Path | None = None
) -> Iterator[ProblemSpec | RefusedProblem]:
    """`into` takes the files of its problems, a directory each; `top` is where an archive begins."""
    headers = common_header(top) if top else ()
    tests = into / "tests"
    tests.mkdir(parents=True)
    for number, item in enumerate(items_of(file, tests, options), start=1):
        title = _text(item, "title").strip() or f"{file.stem} {number}"
        draft = Draft(into / f"{number}", FormatVersion.FPS, options.limits, title)
        try:
            yield _problem(draft, item, headers)
        except PackageRefusedError as error:
            yield RefusedProblem(shortened(title), error.reason, error.sentence)


def _problem(draft: Draft, item: Item, headers: tuple[Path, ...]) -> ProblemSpec:
    _refuse_unsupported(item)
    _add_pictures(draft, item)
    draft.add_statement(
        [
            _section("", item, "description"),
            _section("input", item, "input"),
            _section("output", item, "output"),
            _section("hint", item, "hint"),
        ]
    )
    inputs, outputs = (
        [each.text for each in item if each.name == name] for name in ("sample_input", "sample_output")
    )
    if len(inputs) != len(outputs):
        raise invalid(f"it has {len(inputs)} sample inputs and {len(outputs)} sample outputs")
    for given, answer in zip(inputs, outputs, strict=True):
        if given.strip() or answer.strip():
            draft.add_sample(given, answer)
    _add_tests(draft, item)
    for solution in item:
        if solution.name == "solution" and solution.text.strip():
            draft.add_solution(solution.attributes.get("language", ""), solution.text)
    return draft.spec(
        short_name=short_name_of(draft.format, draft.title),
        limits=_limits(item),
        validator=_special_judge(draft, item, headers),
        source=_text(item, "source").strip(),
        included=included_around(draft, _around(item)),
    )


def _around(item: Item) -> list[Around]:
    found: dict[str, Around] = {}
    for each in item:
        if each.name in _AROUND and each.text.strip() not in _NOTHING:
            language = each.attributes.get("language", "")
            known = found.get(language, Around(language, "", ""))
            found[language] = known._replace(**{_AROUND[each.name]: each.text})
    return list(found.values())


def _special_judge(draft: Draft, item: Item, headers: tuple[Path, ...]) -> Validator | None:
    found = [each for each in item if each.name in _JUDGES and each.text.strip() not in _NOTHING]
    if not found:
        return None
    if len(found) > 1:
        raise invalid("it has several special judges")
    language = found[0].attributes.get("language", "") or "C++"
    convention = _JUDGES[found[0].name]
    if convention is Convention.TESTLIB and not headers:
        raise unsupported(f"it has a testlib checker, which needs {HEADER}: put it into a zip with the file")
    return draft.special_judge(language, found[0].text, convention, headers)


def _refuse_unsupported(item: Item) -> None:
    if _text(item, "remote_oj").strip() or _text(item, "remote_id").strip():
        raise unsupported("it only names a problem of another judge, and has no tests")
    for name, what in _REFUSED.items():
        if any(each.name == name and each.text.strip() not in _NOTHING for each in item):
            raise unsupported(f"it has {what}")


def _add_pictures(draft: Draft, item: Item) -> None:
    for each in item:
        if each.name != "img":
            continue
        address = each.inside.get("src", "").strip()
        try:
            content = b64decode("".join(each.inside.get("base64", "").split()), validate=True)
        except (binascii.Error, ValueError):
            draft.warn(f"the picture {address[:80]!r} is damaged and left out")
            continue
        if address and content:
            draft.add_picture(address, content)


def _section(kind: str, item: Item, name: str) -> Section:
    text = _text(item, name)
    marked = _MARKDOWN.match(text)
    return Section(kind, marked[1] if marked else text, is_html=marked is None)


def _add_tests(draft: Draft, item: Item) -> None:
    pairs = _pairs(item)
    digits = len(str(len(pairs)))
    for number, (given, answer) in enumerate(pairs, start=1):
        assert given.path is not None and answer.path is not None  # noqa: S101, PT018 — of a test
        draft.add_case(f"{SECRET}/{number:0{digits}}", SECRET, given.path, answer.path)
    if any(_POINTS.search(name) for given, _ in pairs if (name := _name(given))):
        draft.warn("the points in the names of its tests are not used: all of them must be right")


def _pairs(item: Item) -> list[tuple[Field, Field]]:
    """By name where all have one, else by position; some exports have inputs and outputs under one name."""
    inputs = [each for each in item if each.name == "test_input"]
    outputs = [each for each in item if each.name == "test_output"]
    if inputs and not outputs and len(inputs) % 2 == 0:
        inputs, outputs = inputs[::2], inputs[1::2]
    if len(inputs) != len(outputs):
        raise invalid(f"it has {len(inputs)} test inputs and {len(outputs)} test outputs")
    by_name = {_name(each): each for each in outputs}
    names = [_name(each) for each in inputs]
    if "" not in names and len(set(names)) == len(names) and set(names) == set(by_name):
        return [(each, by_name[name]) for each, name in zip(inputs, names, strict=True)]
    return list(zip(inputs, outputs, strict=True))


def _name(test: Field) -> str:
    name = test.attributes.get("name") or test.attributes.get("filename") or ""
    return name.rpartition(".")[0] or name


def _limits(item: Item) -> ProblemLimits:
    time, memory = one_of(item, "time_limit"), one_of(item, "memory_limit")
    return ProblemLimits(
        time_ms=_amount(time, "s", {"s": Decimal(1000), "ms": Decimal(1)}),
        memory_mib=_amount(memory, "mb", {"mb": Decimal(1), "kb": Decimal(1) / _KIB_OF_MIB}),
    )


def _amount(given: Field | None, unit: str, units: dict[str, Decimal]) -> int | None:
    """Rounded up; None where nothing is said."""
    if given is None:
        return None
    named = given.attributes.get("unit", unit).strip().lower() or unit
    if named not in units:
        raise invalid(f"its {given.name} is in {named[:20]!r}, which is not one of {', '.join(units)}")
    value = decimal_of(given.text.strip(), f"its {given.name}")
    if value <= 0:
        raise invalid(f"its {given.name} must be above 0")
    return int((value * units[named]).to_integral_value(rounding="ROUND_CEILING"))


def _text(item: Item, name: str) -> str:
    return "".join(each.text for each in item if each.name == name)
