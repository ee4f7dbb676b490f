"""What the compiler and the runtime are told about a source, found out by looking at it."""

from __future__ import annotations

import pytest

from deepoj_judgement.commands.judge.java_classes import JavaClass, classes_in
from deepoj_judgement.commands.judge.program import CompileFailed, SourceTree
from deepoj_judgement.commands.judge.steps.compile import Arranged, arrange, unfit
from deepoj_languages.language import Language
from deepoj_languages.table import language_table
from deepoj_sandbox.errors import BadRequest
from deepoj_sandbox.request import RunRequest

MAIN = "public static void main(String[] args) {}"


def row(slug: str) -> Language:
    return next(language for language in language_table() if language.slug == slug)


@pytest.mark.parametrize(
    ("source", "classes"),
    [
        (f"public class Foo {{ {MAIN} }}", [JavaClass("Foo", is_public=True, has_main=True)]),
        (f"class A {{}} final class B {{ {MAIN} }}", [JavaClass("A"), JavaClass("B", has_main=True)]),
        ("import java.util.*; public interface I {}", [JavaClass("I", is_public=True)]),
        ("package a.b; public final class C {}", [JavaClass("C", is_public=True, package="a.b")]),
        ("// public class No {\npublic enum E { X }", [JavaClass("E", is_public=True)]),
        ("/* class No { */ record R(int x) {}", [JavaClass("R")]),
        (f'class A {{ String s = "}} class No {{"; {MAIN} }}', [JavaClass("A", has_main=True)]),
        ("class A { char c = '}'; } class B {}", [JavaClass("A"), JavaClass("B")]),
        (f"class A {{ static class Inner {{ {MAIN} }} }}", [JavaClass("A")]),
        ("class A { void main(int x) {} }", [JavaClass("A", has_main=True)]),
        ("public class A { public class B {} } class C {}", [JavaClass("A", is_public=True), JavaClass("C")]),
        ("", []),
        ("class", []),
    ],
)
def test_the_classes_of_a_source_are_found(source: str, classes: list[JavaClass]) -> None:
    assert classes_in(source.encode()) == classes


@pytest.mark.parametrize(
    "hostile", ["/*" * 40_000, '"\\"' * 40_000, "'\\" * 40_000, '"""' * 30_000, "{" * 60_000]
)
def test_a_hostile_source_is_read_in_one_pass(hostile: str) -> None:
    assert classes_in(hostile.encode()) == []


@pytest.mark.parametrize(
    ("slug", "files", "units", "main"),
    [
        ("java17", {"Main.java": f"public class Foo {{ {MAIN} }}"}, ("Foo.java",), "Foo"),
        ("java17", {"Main.java": f"class Foo {{ {MAIN} }}"}, ("Main.java",), "Foo"),
        ("java17", {"Main.java": "no program"}, ("Main.java",), "Main"),
        (
            "java17",
            {"A.java": f"class A {{ {MAIN} }}", "Main.java": f"public class Main {{ {MAIN} }}"},
            ("A.java", "Main.java"),
            "Main",
        ),
        (
            "java17",
            {"p/B.java": f"package p; class B {{ {MAIN} }}", "A.java": ""},
            ("A.java", "p/B.java"),
            "p.B",
        ),
        ("cpp17", {"main.cpp": ""}, ("main.cpp",), "main.cpp"),
        (
            "cpp17",
            {"validate.cc": "", "validate.h": "", "x.cpp": ""},
            ("validate.cc", "x.cpp"),
            "validate.cc",
        ),
        ("python3", {"b.py": "", "main.py": "", "a.txt": ""}, ("b.py", "main.py"), "main.py"),
        ("python3", {"it's $1 & more.py": ""}, ("main.py",), "main.py"),
    ],
)
def test_units_and_the_beginning_of_a_program(
    slug: str, files: dict[str, str], units: tuple[str, ...], main: str
) -> None:
    arranged = arrange(row(slug), {name: text.encode() for name, text in files.items()})
    assert isinstance(arranged, Arranged)
    assert (arranged.units, arranged.main) == (units, main)
    assert set(arranged.files) >= set(units)


@pytest.mark.parametrize(
    ("slug", "files", "entry", "main"),
    [
        ("python3", {"main.py": "", "solve.py": ""}, "solve.py", "solve.py"),
        ("python3", {"main.py": "", "solve.py": ""}, "gone.py", "main.py"),
        (
            "java17",
            {"A.java": f"class A {{ {MAIN} }}", "Main.java": f"class Main {{ {MAIN} }}"},
            "A.java",
            "A",
        ),
        ("java17", {"A.java": "class A {}", "Main.java": f"class Main {{ {MAIN} }}"}, "A.java", "Main"),
    ],
)
def test_a_program_begins_where_its_author_says(
    slug: str, files: dict[str, str], entry: str, main: str
) -> None:
    arranged = arrange(row(slug), {name: text.encode() for name, text in files.items()}, entry)
    assert isinstance(arranged, Arranged)
    assert arranged.main == main


def test_marks_of_editors_are_no_part_of_a_source() -> None:
    files = {"a.py": b"\xef\xbb\xbfprint(1)\r\nprint(2)\r\n", "words.txt": b"\xef\xbb\xbfone\r\n"}
    arranged = arrange(row("python3"), files)
    assert isinstance(arranged, Arranged)
    assert arranged.files == {"a.py": b"print(1)\nprint(2)\n", "words.txt": files["words.txt"]}


def test_a_source_without_a_file_of_the_language_does_not_compile() -> None:
    failed = arrange(row("cpp17"), {"readme.txt": b""})
    assert failed == CompileFailed(b"no file ends in .cpp or .cc or .cxx or .c++ or .C\n")


@pytest.mark.parametrize("length", [200, 300, 1100, 70_000])
def test_a_class_whose_name_no_file_can_have_does_not_compile(length: int) -> None:
    for source in (
        f"public class {'A' * length} {{ {MAIN} }}",
        f"class {'A' * length * 5} {{ {MAIN} }}",
        f"package {'p.' * length * 5}q; class Main {{ {MAIN} }}",
    ):
        failed = arrange(row("java17"), {"Main.java": source.encode()})
        assert isinstance(failed, CompileFailed)
        assert failed.log.endswith(b"is too long: 200 bytes are allowed\n")
        assert len(failed.log) < 200


@pytest.mark.parametrize("name", ["A$B", "$", "_", "Ünïcode", "类", "A1"])
def test_unusual_names_of_classes_are_found_and_kept(name: str) -> None:
    arranged = arrange(row("java17"), {"Main.java": f"public class {name} {{ {MAIN} }}".encode()})
    assert isinstance(arranged, Arranged)
    assert (arranged.units, arranged.main) == ((f"{name}.java",), name)


def test_a_name_is_unfit_where_the_sandbox_would_refuse_it() -> None:
    names = [f"a{chr(code)}b" for code in (*range(256), 0x2028, 0xD800, 0x1F600)]
    for name in (*names, "a..b", "..", "x/..", "x=..,y", "$(a", "${a", "a$b", "$", "x" * 200, "a b/c d"):
        try:
            RunRequest(argv=(f"/app/{name}",))
        except BadRequest:
            assert unfit(name), name
        else:
            assert not unfit(name), name


def test_the_hash_of_several_files_knows_names_and_contents_and_no_order() -> None:
    tree = SourceTree({"a": b"1", "b": b"2"})
    assert tree.hash == SourceTree({"b": b"2", "a": b"1"}).hash
    others = [{"a": b"2", "b": b"1"}, {"a": b"1"}, {"a": b"1", "c": b"2"}, {"a": b"1", "b": b"2", "c": b""}]
    assert len({tree.hash, *(SourceTree(other).hash for other in others)}) == 5
    assert SourceTree(tree.files, "b").hash != tree.hash


def test_every_row_is_complete() -> None:
    for language in language_table():
        assert language.template.strip(), language.slug
        assert language.package, language.slug
        assert bool(language.compile) == bool(language.artifacts), language.slug
        assert language.compile or language.syntax, language.slug
        # A program may choose any exit code: alone it says nothing about memory.
        assert all(known.stderr_contains for known in language.memory_exits), language.slug
    assert len({language.slug for language in language_table()}) == len(language_table())
