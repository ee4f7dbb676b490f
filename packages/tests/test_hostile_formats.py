"""The same attacks on every format: the answer is a problem made of the package alone, or a refusal."""

from __future__ import annotations

import re
import stat
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deepoj_packages.foreign.problem_set import RefusedProblem
from deepoj_packages.options import ReadingLimits, ReadingOptions, Told
from deepoj_packages.read_package import read_problems
from deepoj_packages.refusal import PackageRefusedError
from deepoj_packages.spec import ProblemSpec
from deepoj_packages.testing import LEGACY, MODERN, Files, write_package

from .test_dmoj import PLAIN as DMOJ
from .test_fps import ADD
from .test_polygon import PLAIN as POLYGON
from .test_qduoj_and_hydro import HYDRO, qduoj
from .test_uoj_and_cms import CMS, UOJ

FORMATS: Mapping[str, Files] = {
    "legacy": LEGACY,
    "2025-09": MODERN,
    "polygon": POLYGON,
    "dmoj": DMOJ,
    "hydro": HYDRO,
    "qduoj": qduoj(),
    "fps": {"set.xml": f"<fps>{ADD}</fps>"},
    "uoj": UOJ,
    "cms": {**CMS, "gen/GEN": "#ST: 40\n1\n#ST: 60\n2\n3\n"},
}
CONTROL = {
    "legacy": "problem.yaml",
    "2025-09": "problem.yaml",
    "polygon": "problem.xml",
    "dmoj": "init.yml",
    "hydro": "testdata/config.yaml",
    "qduoj": "problem.json",
    "fps": "set.xml",
    "uoj": "problem.conf",
    "cms": "task.yaml",
}
"""The file that says what the others are."""
OPTIONS = ReadingOptions(
    limits=ReadingLimits(files=500, total_bytes=4_000_000, file_bytes=1_000_000),
    told=Told(title="Told", time_ms=1000, memory_mib=64),
)
OUTSIDE = "of the machine, and nobody's test"


def read(place: Path, into: Path) -> list[ProblemSpec]:
    """The problems that are taken; whatever is refused leaves nothing."""
    try:
        found = read_problems(place, into, OPTIONS)
    except PackageRefusedError:
        assert not into.exists()
        return []
    return [each for each in found.problems if isinstance(each, ProblemSpec)]


def files_of(spec: ProblemSpec) -> Iterator[PurePosixPath]:
    for case in spec.cases:
        yield case.input
        yield from (case.answer,) if case.answer else ()
        yield from (file for _, file in case.files)
    for program in (*spec.input_validators, *spec.answer_validators, *(s.program for s in spec.submissions)):
        yield from program.files
    for included in spec.included:
        yield from (file for _, file in included.files)
    for statement in spec.statements:
        yield statement.file
    yield from (*spec.images, *spec.attachments)


def assert_made_of(place: Path, into: Path, spec: ProblemSpec) -> None:
    roots = (place.resolve(), into.resolve(), into.with_name(f"{into.name}.problems").resolve())
    for file in files_of(spec):
        path = spec.path(file).resolve()
        assert any(path.is_relative_to(root) for root in roots), f"{file} leads to {path}"


@pytest.mark.parametrize("name", FORMATS)
def test_the_package_itself_is_read(tmp_path: Path, name: str) -> None:
    place = write_package(tmp_path / "p", FORMATS[name])
    [spec] = read(place, tmp_path / "into")
    assert_made_of(place, tmp_path / "into", spec)


@pytest.mark.parametrize("name", FORMATS)
def test_no_file_may_be_a_link_out_of_the_package(tmp_path: Path, name: str) -> None:
    (tmp_path / "outside").write_text(OUTSIDE)
    for number, file in enumerate(FORMATS[name]):
        place = write_package(tmp_path / f"{number}", FORMATS[name])
        (place / file).unlink()
        (place / file).symlink_to("../" * len(PurePosixPath(file).parts) + "outside")
        assert (place / file).read_text() == OUTSIDE
        assert read(place, tmp_path / f"into-{number}") == [], file


def entry(name: str, mode: int = stat.S_IFREG) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (mode | 0o644) << 16
    info.create_system = 3
    return info


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("extra", "content"),
    [
        (entry("../escaped"), b"x"),
        (entry("/tmp/escaped"), b"x"),  # noqa: S108 — an entry of an archive
        (entry("a\\..\\escaped"), b"x"),
        (entry("link", stat.S_IFLNK), b"/etc/hostname"),
        (entry("pipe", stat.S_IFIFO), b""),
        (entry("A/" * 200 + "deep"), b""),
        (entry("bomb"), bytes(5_000_000)),
        (entry("x" * 5000), b""),
    ],
    ids=["above", "absolute", "of windows", "link", "pipe", "deep", "bomb", "long"],
)
def test_one_bad_entry_refuses_the_archive_of_every_format(
    tmp_path: Path, name: str, extra: zipfile.ZipInfo, content: bytes
) -> None:
    archive, extra.compress_type = tmp_path / "p.zip", zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(archive, "w") as packed:
        for file, text in FORMATS[name].items():
            packed.writestr(file, text)
        packed.writestr(extra, content)
    before = sorted(tmp_path.iterdir())
    assert read(archive, tmp_path / "into") == []
    assert sorted(tmp_path.iterdir()) == before


BOMBS = {
    "aliases": "a: &a [x,x,x,x,x,x,x,x,x]\n"
    + "".join(
        f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    ),
    "an alias of itself": "a: &a [*a]\n",
    "tags": "a: !!python/object/apply:os.system [id]\n",
    "depth of brackets": "[" * 100_000,
    "depth of braces": '{"a":' * 100_000,
    "depth of elements": "<fps><problem>" * 50_000,
    "entities": "<!DOCTYPE fps [<!ENTITY a 'xxxxxxxxxx'>"
    + "".join(f"<!ENTITY {b} '{f'&{a};' * 10}'>" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    + "]><fps><item>&i;</item></fps>",
    "an entity of outside": "<!DOCTYPE fps [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><fps><item>&a;</item></fps>",
    "a parameter entity": "<!DOCTYPE fps [<!ENTITY % a SYSTEM 'file:///etc/passwd'> %a;]><fps></fps>",
    "a number of a megabyte": "n_tests " + "9" * 1_000_000,
    "a key of a megabyte": "k" * 1_000_000 + ": 1",
    "zero bytes": "\0" * 1000,
    "half a character": "\ud800",
    "nothing": "",
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("bomb", BOMBS)
def test_no_bomb_goes_off_in_any_format(tmp_path: Path, name: str, bomb: str) -> None:
    content = BOMBS[bomb].encode(errors="surrogatepass")
    place = write_package(tmp_path / "p", {**FORMATS[name], CONTROL[name]: content})
    for spec in read(place, tmp_path / "into"):
        assert_made_of(place, tmp_path / "into", spec)


HOSTILE = st.sampled_from(
    [
        *(
            "../../../etc/passwd",
            "/etc/passwd",
            "..",
            ".",
            "*",
            "**",
            "~",
            "%s%n",
            "%99999d",
            "\\",
            "\0",
            "\n",
        ),
        *("-1", "0", "1e999", "NaN", "inf", "0x7f", "9" * 30, "1.5", "true", "null", "[]", "{}", '""', "''"),
        *("</item>", "&lt;", "&a;", "<!--", "]]>", "<![CDATA[", "*a", "&a x", "!!int x", "? x", ": ", "- "),
        *("$(id)", "`id`", "${PATH}", "(?P<case>x)+", "(((", "é", "\u202e", "\U0001f600", "\r", "<a>", "#"),
    ]
)


TEXTS = [
    (name, file)
    for name, files in FORMATS.items()
    for file, content in files.items()
    if isinstance(content, str) and len(content) > len("1 2\n")
]
"""What readers look into; the file that says what the others are comes as often as all others."""
CONTROLS = list(CONTROL.items())


@given(
    place=st.one_of(st.sampled_from(CONTROLS), st.sampled_from(TEXTS)),
    changes=st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 12), HOSTILE), min_size=1, max_size=3
    ),
)
@settings(max_examples=150, deadline=None)
def test_whatever_a_file_says_the_problem_is_made_of_the_package(
    place: tuple[str, str], changes: list[tuple[float, int, str]]
) -> None:
    name, file = place
    text = str(FORMATS[name][file])
    for at, length, word in changes:
        start = int(at * len(text))
        text = text[:start] + word + text[start + length :]
    with tempfile.TemporaryDirectory() as directory:
        package = write_package(Path(directory) / "p", {**FORMATS[name], file: text})
        for spec in read(package, Path(directory) / "into"):
            assert_made_of(package, Path(directory) / "into", spec)


def sentences(place: Path, into: Path) -> list[str]:
    try:
        found = read_problems(place, into, OPTIONS)
    except PackageRefusedError as refused:
        return [refused.sentence]
    return [each.sentence for each in found.problems if isinstance(each, RefusedProblem)]


@pytest.mark.parametrize("name", FORMATS)
def test_a_refusal_is_one_short_sentence_however_long_what_it_is_about(tmp_path: Path, name: str) -> None:
    control = FORMATS[name][CONTROL[name]]
    assert isinstance(control, str)
    said = []
    for number, word in enumerate(re.finditer(r"[\w.%/-]+", control)):
        long = ("9" if word[0].isdecimal() else "x") * 3000
        text = control[: word.start()] + long + control[word.end() :]
        place = write_package(tmp_path / f"{number}", {**FORMATS[name], CONTROL[name]: text})
        said += sentences(place, tmp_path / f"into-{number}")
    assert said
    for sentence in said:
        assert len(sentence) < 600, sentence
        assert "\n" not in sentence
