"""Formulas become MathML; those that cannot be turned are shown as their source."""

from __future__ import annotations

import time

import pytest

from deepoj_packages.statements.formulas import SOURCE_BEGIN, formula
from deepoj_packages.statements.macros import MacroError, Macros
from deepoj_packages.statements.markdown import markdown_html


def shown(source: str, macros: Macros | None = None) -> str:
    return formula(source, macros or Macros(), block=False)


@pytest.mark.parametrize(
    ("source", "part"),
    [
        (r"1 \le n \le 10^5", "<msup><mn>10</mn><mn>5</mn></msup>"),
        (r"\begin{aligned} a &= b \\ c &= d \end{aligned}", "<mtable"),
        (r"\begin{cases} 1 & x > 0 \\ 0 \end{cases}", "<mtable>"),
        (r"\arg\max_x f(x)", "<mo>arg</mo>"),
        (r"\operatorname{lcm}(a, b)", "lcm"),
    ],
)
def test_what_statements_write_becomes_mathml(source: str, part: str) -> None:
    assert shown(source).startswith("<math ")
    assert part in shown(source)


@pytest.mark.parametrize(
    "source",
    [
        r"\frac",
        r"\nosuchthing{x}",
        "a_",
        r"\text{\texttt{a}}",
        "{" * 51 + "}" * 51,
        "a & b",
        "x" * 5001,
    ],
)
def test_what_cannot_be_turned_is_shown_as_its_source(source: str) -> None:
    expected = source.replace("&", "&amp;")
    assert shown(source) == f'<code class="formula">{expected}</code>'


def test_commands_of_the_document_are_written_out() -> None:
    macros = Macros()
    assert macros.expand(r"\newcommand{\N}{\mathbb{N}}\def\half{\frac12} x") == " x"
    assert macros.expand(r"\newcommand{\pair}[2]{(#1, #2)}\DeclareMathOperator{\mex}{mex}") == ""
    assert macros.expand(r"\N \Nat") == r"\mathbb{N} \Nat"
    assert macros.expand(r"\pair{a}\N") == r"(a, \mathbb{N})"
    assert macros.expand(r"\mex\half") == r"\operatorname{mex}\frac12"


def test_a_definition_holds_from_its_formula_on() -> None:
    made = markdown_html(r"$\newcommand{\N}{\mathbb{N}}$ and $\N$")
    assert made.count("<math") == 1
    assert "&#x02115;" in made


@pytest.mark.parametrize(
    "bomb",
    [
        r"\def\a{\a}\a",
        r"\def\a{\b}\def\b{\a x}\a",
        r"\newcommand{\a}[1]{#1#1#1#1#1#1#1#1#1}\a{\a{\a{\a{\a{\a{xxxx}}}}}}",
        r"\newcommand{\a}{x",
        r"\newcommand{\a}[2]{#1#2}\a{x}",
    ],
)
def test_a_bomb_of_macros_is_refused_at_once(bomb: str) -> None:
    begun = time.thread_time()
    with pytest.raises(MacroError):
        Macros().expand(bomb)
    assert time.thread_time() - begun < 1
    assert shown(bomb).startswith(SOURCE_BEGIN)


def test_a_dollar_beside_a_digit_makes_no_formula() -> None:
    assert "<math" not in markdown_html("from $5 to $10")
