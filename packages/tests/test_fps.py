"""What an FPS file says about its problems, and what it may not do."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.question.checker import Convention, LineChecker, ProgramChecker
from deepoj_packages.exporting.exporter import export_directory
from deepoj_packages.exporting.modern import modern_entries
from deepoj_packages.foreign.html_text import markdown_of
from deepoj_packages.foreign.problem_set import ProblemSet, RefusedProblem
from deepoj_packages.judge_data import judged_checker, judged_form, judged_suite
from deepoj_packages.options import ReadingLimits, ReadingOptions
from deepoj_packages.read_package import read_directory, read_package, read_problems
from deepoj_packages.refusal import PackageRefusedError, Reason
from deepoj_packages.shared.own_validators import line_validator
from deepoj_packages.spec import FormatVersion, OutputValidator, ProblemSpec
from deepoj_packages.testing import hash_in

DOCTYPE = '<!DOCTYPE fps PUBLIC "-//freeproblemset//DTD//EN" "http://hustoj.example/fps.current.dtd">\n'
ADD = """<item>
<title><![CDATA[A+B Problem]]></title>
<time_limit unit="ms"><![CDATA[1500]]></time_limit>
<memory_limit unit="KB"><![CDATA[65537]]></memory_limit>
<img><src><![CDATA[/upload/a.PNG]]></src><base64><![CDATA[iVBO\nRw0K]]></base64></img>
<description><![CDATA[<p>Add <b>two</b>&nbsp;numbers_.</p><img src="/upload/a.PNG">
<script>alert(1)</script>]]></description>
<input><![CDATA[[md]Two `numbers`.[/md]]]></input>
<output>One number &lt; 10</output>
<sample_input><![CDATA[1 2]]></sample_input><sample_output><![CDATA[3]]></sample_output>
<test_input name="b"><![CDATA[4 5]]></test_input>
<test_input name="a"><![CDATA[6 ]]]]><![CDATA[>7]]></test_input>
<test_output name="a"><![CDATA[13]]></test_output>
<test_output name="b"><![CDATA[9]]></test_output>
<hint></hint><source>Somewhere</source>
<solution language="C++"><![CDATA[int main() {}]]></solution>
<solution language="SQL"><![CDATA[select]]></solution>
<spj>0</spj>
</item>
"""
KATEX = (
    '<p><span class="katex"><span class="katex-mathml"><math>n<annotation encoding="x-tex">n_1</annotation>'
    '</math></span><span class="katex-html">n1</span></span> nodes</p>'
)
Read = Callable[..., ProblemSet]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def made(items: str, head: str = "", limits: ReadingLimits | None = None) -> ProblemSet:
        file = tmp_path / "set.xml"
        file.write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n{head}<fps version="1.2">{items}</fps>')
        options = ReadingOptions(limits=limits or ReadingLimits())
        return read_problems(file, tmp_path / "into", options)

    return made


def only(found: ProblemSet) -> ProblemSpec:
    [problem] = found.problems
    assert isinstance(problem, ProblemSpec), problem
    return problem


def test_everything_an_item_can_say(read: Read) -> None:
    found = read(ADD, DOCTYPE)
    spec = only(found)
    assert (found.format, spec.short_name, spec.title) == (FormatVersion.FPS, "a-b-problem", "A+B Problem")
    assert (spec.limits.time_ms, spec.limits.memory_mib) == (1500, 65)
    texts = [
        (spec.path(case.input).read_text(), spec.path(case.answer or case.input).read_text())
        for case in spec.cases
    ]
    assert texts == [("1 2", "3"), ("4 5", "9"), ("6 ]]>7", "13")], "outputs belong to inputs by their names"
    assert [case.is_sample for case in spec.cases] == [True, False, False]
    [statement] = spec.statements
    text = spec.path(statement.file).read_text()
    assert "Add **two** numbers\\_." in text
    assert "![](picture-1.png)" in text
    assert "alert" not in text
    assert "## Input\n\nTwo `numbers`.\n" in text
    assert "One number < 10" in text
    assert [str(image) for image in spec.images] == ["statement/picture-1.png"]
    assert [each.name for each in spec.submissions] == ["accepted/solution-1.cpp"]
    assert spec.warnings == ("a solution is left out: its language 'SQL' is not known here",)
    assert judged_checker(spec, hash_in(spec)) == LineChecker()
    assert judged_suite(spec, hash_in(spec)).full_score.as_decimal() == Decimal(100)


def test_what_lines_compare_is_exported_with_a_program_and_known_again(read: Read, tmp_path: Path) -> None:
    spec = only(read(ADD))
    export_directory(spec, tmp_path / "out")
    assert (tmp_path / "out/output_validator/line_validator.py").read_bytes() == line_validator()
    for output, code in (b"3 \r\n\n", 42), (b"3\n4\n", 43):
        (tmp_path / "answer").write_text("3\n")
        program = str(tmp_path / "out/output_validator/line_validator.py")
        argv = [sys.executable, program, "input", "answer", "."]
        assert subprocess.run(argv, input=output, cwd=tmp_path, check=False).returncode == code
    assert (tmp_path / "judgemessage.txt").read_text() == "line 2 differs\n"
    again = read_directory(tmp_path / "out")
    assert judged_checker(again, hash_in(again)) == LineChecker()
    assert judged_suite(again, hash_in(again)) == judged_suite(spec, hash_in(spec))
    with (tmp_path / "out/output_validator/line_validator.py").open("a") as file:
        file.write("# another program\n")
    assert isinstance(read_directory(tmp_path / "out").validator, OutputValidator)


def test_code_around_submissions_belongs_to_their_language(read: Read) -> None:
    around = """<prepend language="Java"><![CDATA[class Main {]]></prepend>
        <append language="Java"><![CDATA[}]]></append><prepend language="C">0</prepend>
        <append language="C++"> int main() {}</append><append language="Clang++">int other;</append>
        <prepend language="SQL">select</prepend></item>"""
    spec = only(read(ADD.replace("</item>", around)))
    form = judged_form(spec, hash_in(spec))
    java, cpp = form.included
    assert (java.before, java.after) == ("before.java", "after.java")
    assert [file.content for file in java.files] == [hash_of(b"class Main {"), hash_of(b"}")]
    assert (cpp.before, cpp.after) == ("", "after.cpp")
    assert cpp.languages == {"cpp17", "cpp20"}
    assert not form.needs_driver, "other languages go without"
    said = [warning for warning in spec.warnings if "code around" in warning]
    assert said == [
        "code around submissions in 'Clang++' is left out: cpp has some",
        "code around submissions in 'SQL' is left out: nobody here knows that language",
    ]
    with pytest.raises(PackageRefusedError, match="no code around submissions"):
        list(modern_entries(spec))


def test_a_special_judge_of_hustoj_is_called_in_its_way(read: Read) -> None:
    spec = only(read(ADD.replace("<spj>0</spj>", "<spj language='C++'>int main() {}</spj>")))
    checker = judged_checker(spec, hash_in(spec), language_slug("cpp17"))
    assert isinstance(checker, ProgramChecker)
    assert checker.convention is Convention.HUSTOJ


@pytest.mark.parametrize("link", [False, True])
def test_a_testlib_checker_runs_with_the_header_beside_its_file(tmp_path: Path, *, link: bool) -> None:
    root = tmp_path / "set"
    root.mkdir()
    tested = ADD.replace("<spj>0</spj>", '<tpj language="C++">#include "testlib.h"</tpj>')
    (root / "set.xml").write_text(f"<fps>{tested}{ADD}</fps>")
    (tmp_path / "secret").write_text("of the machine")
    (root / "testlib.h").symlink_to("../secret") if link else (root / "testlib.h").write_text("// theirs")
    if link:
        with pytest.raises(PackageRefusedError, match=r"testlib\.h"):
            read_problems(root, tmp_path / "into")
        return
    first, second = read_problems(root, tmp_path / "into").problems
    assert isinstance(first, ProblemSpec)
    assert isinstance(second, ProblemSpec)
    checker = judged_checker(first, hash_in(first), language_slug("cpp17"))
    assert isinstance(checker, ProgramChecker)
    assert checker.convention is Convention.TESTLIB
    assert [source.name for source in checker.sources] == ["main.cpp", "testlib.h"]
    assert not isinstance(second.validator, OutputValidator)


def test_one_bad_problem_does_not_stop_the_others(read: Read) -> None:
    bad = {
        "<spj language='Basic'>x</spj>": "its checker is written in 'Basic', which is not known here",
        "<spj>int main;</spj><spj>int main;</spj>": "it has several special judges",
        "<tpj>x</tpj>": "it has a testlib checker, which needs testlib.h: put it into a zip with the file",
        "<tpj>x</tpj><spj>y</spj>": "it has several special judges",
        "<append language='SQL'>x</append>": "it puts code around submissions in 'SQL', which is not known",
        "<remote_oj>pku</remote_oj>": "it only names a problem of another judge",
        "<test_input>1</test_input>": "it has 3 test inputs and 2 test outputs",
        "<sample_input>1</sample_input>": "it has 2 sample inputs and 1 sample outputs",
        "<time_limit>2</time_limit>": "it has 2 elements <time_limit>",
    }
    items = [
        ADD,
        *(ADD.replace("</item>", f"{more}</item>") for more in bad),
        ADD.replace("1500", "x"),
        ADD,
    ]
    found = read("".join(items)).problems
    assert [isinstance(each, ProblemSpec) for each in found] == [True, *[False] * (len(bad) + 1), True]
    for sentence, problem in zip(bad.values(), found[1:-2], strict=True):
        assert isinstance(problem, RefusedProblem)
        assert problem.sentence.startswith(sentence)
    assert isinstance(found[-1], ProblemSpec)
    assert found[-1].short_name == "a-b-problem-2", "two problems of one title are two problems"


def test_one_of_several_is_chosen_by_name(tmp_path: Path) -> None:
    file = tmp_path / "set.xml"
    file.write_text(f"<fps>{ADD}{ADD.replace('A+B Problem', '级数求和')}</fps>")
    with pytest.raises(
        PackageRefusedError, match=r"there are 2 problems, choose one.*a-b-problem \(A\+B Problem\), fps-"
    ) as refused:
        read_package(file, tmp_path / "into")
    assert refused.value.reason is Reason.SEVERAL
    assert sorted(path.name for path in tmp_path.iterdir()) == ["set.xml"]
    assert read_package(file, tmp_path / "into", ReadingOptions(item="a-b-problem")).title == "A+B Problem"


def test_a_zip_of_such_files_is_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "set.zip", "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("one.xml", f"\ufeff<fps>{ADD}</fps>")
        archive.writestr("two.xml", f"<fps>{ADD}</fps>")
    found = read_problems(tmp_path / "set.zip", tmp_path / "into").problems
    assert [isinstance(each, ProblemSpec) for each in found] == [True, True]


def test_what_comes_before_a_damage_is_taken(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "set.zip", "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("one.xml", f"<fps>{ADD}<item><title>Cut".encode())
        archive.writestr(
            "two.xml", '<!DOCTYPE x [<!ENTITY a "b">]><fps><item><title>&a;</title></item></fps>'
        )
        archive.writestr("zero.xml", f"<fps>{ADD}</fps>")
    found = read_problems(tmp_path / "set.zip", tmp_path / "into").problems
    assert [each.name if isinstance(each, RefusedProblem) else each.title for each in found] == [
        "A+B Problem", "one.xml", "two.xml", "A+B Problem",
    ]  # fmt: skip


def test_inputs_and_outputs_under_one_name_alternate(read: Read) -> None:
    tests = "".join(f"<test_input>{n}</test_input>" for n in range(4))
    spec = only(read(f"<item><title>T</title>{tests}</item>"))
    assert [spec.path(case.answer or case.input).read_text() for case in spec.cases] == ["1", "3"]
    assert spec.limits.time_ms is None
    assert "there is no problem statement" in spec.warnings


def test_control_characters_of_exports_are_dropped(tmp_path: Path) -> None:
    file = tmp_path / "set.xml"
    file.write_bytes(f"<fps>{ADD}</fps>".replace("Somewhere", "Some\x1awhere").encode())
    assert only(read_problems(file, tmp_path / "into")).metadata.sources[0].name == "Somewhere"


@pytest.mark.parametrize(
    ("head", "items", "sentence"),
    [
        ('<!DOCTYPE fps [<!ENTITY a "b">]>', ADD, r"set.xml \(line 2\) declares the entity 'a'"),
        (
            '<!DOCTYPE fps [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
            "<item>&a;</item>",
            "declares the entity",
        ),
        ('<!DOCTYPE fps [<!ENTITY % a SYSTEM "http://x.example/"> %a;]>', ADD, "declares the entity"),
        (DOCTYPE, "<item><title>&nope;</title></item>", "uses the entity 'nope'"),
        ("", "<item><title>&nope;</title></item>", r"set.xml \(line 2\) is not readable XML"),
        ("", "<item><title>", "is not readable XML"),
        ("", "<item><a><b><c><d><e><f><g/></f></e></d></c></b></a></item>", "nested more than 8 deep"),
        ("", "<item>" + "<x/>" * 2000 + "</item>", "more than 1000 elements"),
        ("", "<item/>" * 1001, "more than 1000 problems"),
        ("", "", "holds no problem"),
    ],
)
def test_hostile_xml_is_refused_with_its_line(
    read: Read, tmp_path: Path, head: str, items: str, sentence: str
) -> None:
    with pytest.raises(PackageRefusedError, match=sentence):
        read(items, head)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["set.xml"]


def test_html_entities_of_a_declared_document_type_are_known(read: Read) -> None:
    spec = only(read(ADD.replace("Somewhere", "Caf&eacute;"), DOCTYPE))
    assert spec.metadata.sources[0].name == "Café"


def test_what_is_too_large_is_refused(read: Read) -> None:
    small = ReadingLimits(file_bytes=1000, text_bytes=70_000, files=5, total_bytes=10_000_000)
    for items, sentence in (
        (ADD.replace("4 5", "4" * 2000), r"line \d+\) has a test_input larger than 1000 bytes"),
        (ADD.replace("Somewhere", "x" * 100_000), "has a source larger than 70000 bytes"),
        (ADD + ADD, "more than 5 test files"),
        (f"<item><a b='{'x' * 200_000}'/></item>", "has a tag that does not end"),
    ):
        with pytest.raises(PackageRefusedError, match=sentence) as refused:
            read(items, "", small)
        assert refused.value.reason in {Reason.TOO_LARGE, Reason.BAD_XML}


def test_another_encoding_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "set.xml"
    file.write_bytes(
        '<?xml version="1.0" encoding="GBK"?><fps><item><title>级</title></item></fps>'.encode("gbk")
    )
    with pytest.raises(PackageRefusedError, match=r"save it as UTF-8|not readable XML"):
        read_problems(file, tmp_path / "into")


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<pre>a\n  b</pre>", "```\na\n  b\n```\n"),
        ("a<br>b<br/>c", "a\\\nb\\\nc\n"),
        ("<ul><li>a</li><li>b</li></ul>", "- a\n- b\n"),
        ("x<sub>1</sub> $a_1*b$ a_1", "x<sub>1</sub> $a_1*b$ a\\_1\n"),
        ("plain &lt; *text*", "plain < *text*\n"),
        ("<p>a</p><style>p {}</style><iframe src=x>no</iframe>", "a\n"),
        (
            KATEX,
            "$n_1$ nodes\n",
        ),
        ('<img src="http://elsewhere.example/x.png">', "*(picture)*\n"),
    ],
)
def test_html_becomes_markdown(html: str, markdown: str) -> None:
    assert markdown_of(html, {}) == markdown


@pytest.mark.parametrize(
    "piece", ["<", "<a ", "</", "<!--", "<![CDATA[", "&", "$", "<p>", "`", '<a b="', "<pre> "]
)
def test_html_costs_what_it_is_long(piece: str) -> None:
    markdown_of("<p>" + piece * (100_000 // len(piece)), {})
