"""Data that only generators.yaml describes: written where it is text, else left to recipes."""

from __future__ import annotations

from hashlib import sha512
from pathlib import PurePosixPath

import pytest

from deepoj_packages.refusal import PackageRefusedError
from deepoj_packages.spec import InputArgs, ProblemSpec
from deepoj_packages.testing import PackageReader

RULES = "generators/generators.yaml"
GENERATED = """
solution: /submissions/accepted/add.py
random_salt: salt
generators:
  tree: [tree.py, lib.py]
data:
  sample:
    data:
      - "":
          in: 1 2
          ans: "3"
  secret:
    include: [sample]
    test_group.yaml:
      input_validator_args: [small]
    data:
      - a: tree 5 {seed}
      - counted:
          generate: one.py {count} {name}
          count: 9..=10
          yaml: {description: many}
      - manual:
          copy: manual/m
  invalid_input:
    data:
      bad: {in: "x\\n"}
"""


def generated(modern: PackageReader, rules: str, **files: str) -> ProblemSpec:
    given = {
        RULES: rules,
        "generators/tree.py": "",
        "generators/lib.py": "",
        "generators/one.py": "",
        "generators/manual/m.in": "7 8\n",
        "generators/manual/m.ans": "15\n",
    }
    return modern({**given, **files}, without=("data",))


def test_data_is_written_copied_or_left_to_a_recipe(modern: PackageReader) -> None:
    spec = generated(modern, GENERATED)
    names = [
        "sample/1",
        "secret/1",
        "secret/1-a",
        "secret/2-counted-9",
        "secret/2-counted-10",
        "secret/3-manual",
    ]
    assert sorted(case.name for case in spec.cases) == sorted(names)
    cases = {case.name: case for case in spec.cases}
    assert spec.path(cases["sample/1"].input).read_text() == "1 2\n"
    assert spec.path(cases["secret/1"].input).read_text() == "1 2\n"
    assert spec.path(cases["secret/3-manual"].input).read_text() == "7 8\n"
    assert cases["secret/1-a"].input_validator_args == InputArgs(("small",))
    assert cases["secret/2-counted-9"].description == "many"
    assert spec.path(spec.invalid_inputs[0].input).read_text() == "x\n"
    assert modern.root not in spec.path(cases["sample/1"].input).parents


def test_recipes_make_inputs_first_and_with_the_seed_of_the_tool(modern: PackageReader) -> None:
    spec = generated(modern, GENERATED)
    seed = int(sha512(b"salttree 5 {seed}").hexdigest(), 16) % 2**31
    made = {str(each.file): each for each in spec.recipes}
    assert made["data/secret/1-a.in"].arguments == ("5", str(seed))
    assert [file.name for file in made["data/secret/1-a.in"].program.files] == ["tree.py", "lib.py"]
    assert made["data/secret/2-counted-10.in"].arguments == ("10", "2-counted-10")
    answers = [each for each in spec.recipes if each.input]
    assert {str(each.program.at) for each in answers} == {"submissions/accepted/add.py"}
    assert list(spec.recipes) == [*(each for each in spec.recipes if not each.input), *answers]
    assert len(spec.recipes) == 6
    assert not any(spec.path(each.file).exists() for each in spec.recipes)


def test_data_that_is_there_is_not_made_again(modern: PackageReader) -> None:
    spec = modern({RULES: "data: {secret: {data: {x: nothing.py}}}\n"})
    assert (spec.recipes, [case.name for case in spec.cases]) == ((), ["sample/1", "secret/1"])


def test_commands_have_constants_and_entries_may_have_no_name(modern: PackageReader) -> None:
    constants = {"problem.yaml": "problem_format_version: 2025-09\nname: Add\nconstants: {most: 9}\n"}
    rules = "data: {secret: {data: [{~: 'one.py {{most}} {{none}}'}, {'': {in: '{{most}}', ans: x}}]}}\n"
    spec = generated(modern, rules, **constants, **{"generators/one.py": "print({{most}})"})
    assert [case.name for case in spec.cases] == ["secret/1", "secret/2"]
    assert spec.recipes[0].arguments == ("9", "{{none}}")
    assert spec.path(spec.recipes[0].program.main).read_text() == "print(9)"
    assert spec.path(spec.cases[1].input).read_text() == "{{most}}\n", "data has no constants"


def test_a_sample_may_only_be_shown(modern: PackageReader) -> None:
    shown = "{in.statement: a, ans.statement: b}"
    rules = f"data: {{sample: {{data: {{s: {shown}}}}}, secret: {{data: {{x: {{in: a, ans: b}}}}}}}}\n"
    spec = generated(modern, rules)
    assert ([case.name for case in spec.cases], [each.name for each in spec.samples]) == (
        ["secret/x"],
        ["sample/s"],
    )


def test_what_talks_needs_no_answers(modern: PackageReader) -> None:
    problem = "problem_format_version: 2025-09\nname: Add\ntype: interactive\n"
    files = {"problem.yaml": problem, "output_validator/v.py": ""}
    spec = generated(modern, "data: {secret: {data: {x: one.py}}}\n", **files)
    assert [str(each.file) for each in spec.recipes] == ["data/secret/x.in"]


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ("data: {secret: {data: {'../../x': {in: a}}}}", "cannot be the name of a case"),
        ("data: {'../out': {data: {x: {in: a}}}}", "cannot be the name of a case"),
        ("data: {secret: {data: {x: {in: a, copy: ../problem}}}}", "is a copy of generators/../problem"),
        ("data: {secret: {data: {x: {generate: one.py, count: 1..=999999999}}}}", "asks for 999999999 cases"),
        ("data: {secret: {data: {x: {generate: one.py, count: many}}}}", "count is a number"),
        (
            "data: {secret: {data: {x: {in: a, count: 15000}, y: {in: a, count: 15000}}}}",
            "more than 20000 cases",
        ),
        ("data: {secret: {data: {x: ../submissions/accepted/add.py}}}", "there is no generator"),
        ("data: {secret: {data: {x: none.py}}}", "there is no generator 'none.py'"),
        ("generators: {g: [../../x.py]}\ndata: {secret: {data: {x: g}}}", "which is not there"),
        ("data: {secret: {data: {x: {ans: a}}}}", "nothing says what the input of data/secret/x is"),
        ("data: {secret: {include: [nowhere], data: {}}}", "includes 'nowhere'"),
        ("solution: /../../etc/passwd\ndata: {secret: {data: {x: {in: a}}}}", "is not there"),
        (
            "solution: /submissions/accepted/add.py\ndata: {secret: {data: {x: {in: a, yaml: {args: [b]}}}}}",
            "the answer of secret/x is not there",
        ),
        (f"data: {'{d: {data: ' * 12}{{x: {{in: a}}}}{'}}' * 12}", "nested more than"),
    ],
)
def test_rules_that_lead_elsewhere_or_nowhere_are_refused(
    modern: PackageReader, rules: str, sentence: str
) -> None:
    with pytest.raises(PackageRefusedError, match=sentence):
        generated(modern, f"{rules}\n")


def test_a_name_in_the_package_is_not_overwritten(modern: PackageReader) -> None:
    """A case may be called as a file that is there, and the setter's own file stays as it is."""
    spec = generated(
        modern,
        "data: {secret: {data: {x: {in: a, ans: b}}}, sample: {data: {own: {in: a, ans: b}}}}\n",
        **{"data/sample/own.in": "mine\n"},
    )
    sample = next(case for case in spec.cases if case.is_sample)
    assert spec.path(sample.input).read_text() == "mine\n"
    assert (modern.root / "data/sample/own.in").read_text() == "mine\n"
    assert not (modern.root / "data/secret").exists()
    assert spec.path(PurePosixPath("data/secret/x.in")).read_text() == "a\n"
