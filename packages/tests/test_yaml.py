"""YAML is measured before it is believed."""

from __future__ import annotations

from decimal import Decimal

import pytest

from deepoj_packages.options import ReadingLimits
from deepoj_packages.refusal import PackageRefusedError, Reason
from deepoj_packages.yamls import Section, load_section

LIMITS = ReadingLimits(yaml_nodes=1000, yaml_depth=10)
BOMB = "a: &a [x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join(f'*{old}' for _ in range(8))}]\n"
    for old, new in zip("abcdef", "bcdefg", strict=True)
)


def load(text: str) -> Section:
    return load_section(text, "problem.yaml", LIMITS)


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        "a: &a [*a]",
        "a: " + "[" * 30 + "]" * 30,
        "[" * 5000,
        "a: {b: " * 30 + "1" + "}" * 30,
        "a: [" + "1, " * 2000 + "1]",
        "a: !!python/object/apply:os.system ['true']",
        "a: !!python/name:os.system",
        "a: !custom 1",
        "a: 1\na: 2",
        "[1]: 2",
        "- 1",
        "just text",
        "a: 1\n---\nb: 2",
        "a: [1",
        "a: \x01",
    ],
)
def test_what_is_hostile_or_broken_is_refused(text: str) -> None:
    with pytest.raises(PackageRefusedError) as caught:
        load(text)
    assert caught.value.reason is Reason.BAD_YAML
    assert caught.value.sentence.startswith("problem.yaml ")


def test_a_few_aliases_are_fine() -> None:
    assert load("a: &a [x]\nb: *a").texts("b") == ("x",)


def test_words_keep_their_text() -> None:
    section = load("name:\n  no: Norsk\nversion: 1.10\nid: 007\n")
    assert section.section("name").text("no") == "Norsk"
    assert (section.text("version"), section.text("id")) == ("1.10", "007")


def test_nothing_is_the_default() -> None:
    section = load("a:\nb: ~\n")
    assert (section.text("a", "x"), section.whole("b"), section.has("a")) == ("x", None, False)
    assert load("").names() == []


@pytest.mark.parametrize("text", ["a: x", "a: 1e999", "a: .inf", "a: nan", "a: [1]", "a: -1", "a: 0"])
def test_a_limit_is_a_number_above_nothing(text: str) -> None:
    with pytest.raises(PackageRefusedError):
        load(text).whole("a")


def test_numbers_are_exact() -> None:
    assert load("a: 0.1").decimal("a") == Decimal("0.1")
    assert load("a: 2.5").whole("a") == 3


def test_what_nobody_asked_for_is_known() -> None:
    section = load("a: 1\nb: 2\n")
    section.text("a")
    assert section.unknown() == ["b"]


@pytest.mark.parametrize("text", ["a: maybe", "a: 2"])
def test_a_flag_is_true_or_false(text: str) -> None:
    with pytest.raises(PackageRefusedError, match="must be true or false"):
        load(text).flag("a", default=False)
