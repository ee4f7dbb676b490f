"""What the compiler and the runtime are told about a source, found out by looking at it."""

from __future__ import annotations

import pytest

from deepoj_judgement.commands.arrange import arrange
from deepoj_judgement.commands.java import JavaClass, classes_in
from deepoj_judgement.commands.language import Language
from deepoj_judgement.commands.program import SourceTree
from deepoj_judgement.outbound.toolchains.table import language_table

MAIN = "public static void main(String[] args) {}"


def row(slug: str) -> Language:
    return next(language for language in language_table() if language.slug == slug)


@pytest.mark.parametrize(
    ("source", "classes"),
    [
        (f"public class Foo {{ {MAIN} }}", [JavaClass("Foo", is_public=True, has_main=True)]),
        (f"class A {{}} final class B {{ {MAIN} }}", [JavaClass("A"), JavaClass("B", has_main=True)]),
        ("import java.util.*; public interface I {}", [JavaClass("I", is_public=True)]),
        ("package a.b; public final class C {}", [JavaClass("a.b.C", is_public=True)]),
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
        ("python3", {"only.py": ""}, ("only.py",), "only.py"),
    ],
)
def test_units_and_the_beginning_of_a_program(
    slug: str, files: dict[str, str], units: tuple[str, ...], main: str
) -> None:
    arranged = arrange(row(slug), {name: text.encode() for name, text in files.items()})
    assert arranged is not None
    assert (arranged.units, arranged.main) == (units, main)
    assert set(arranged.files) >= set(units)


def test_a_source_without_a_file_of_the_language_is_none() -> None:
    assert arrange(row("cpp17"), {"readme.txt": b""}) is None


def test_the_hash_of_several_files_knows_names_and_contents_and_no_order() -> None:
    tree = SourceTree({"a": b"1", "b": b"2"})
    assert tree.hash == SourceTree({"b": b"2", "a": b"1"}).hash
    others = [{"a": b"2", "b": b"1"}, {"a": b"1"}, {"a": b"1", "c": b"2"}, {"a": b"1", "b": b"2", "c": b""}]
    assert len({tree.hash, *(SourceTree(other).hash for other in others)}) == 5


def test_every_row_is_complete() -> None:
    for language in language_table():
        assert language.template.strip(), language.slug
        assert language.package, language.slug
        assert bool(language.compile) == bool(language.artifacts), language.slug
        assert language.compile or language.syntax, language.slug
    assert len({language.slug for language in language_table()}) == len(language_table())
