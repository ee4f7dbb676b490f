"""What version 2025-09 says about a problem."""

from __future__ import annotations

from decimal import Decimal

import pytest

from deepoj_packages.judge_data import entry_name, source_names
from deepoj_packages.refusal import PackageRefusedError
from deepoj_packages.shared.globs import matches
from deepoj_packages.spec import (
    Credit,
    Expectation,
    FormatVersion,
    GroupScoring,
    InputArgs,
    Outcome,
    OutputValidator,
    Person,
    Source,
)
from deepoj_packages.testing import Files, PackageReader

HEAD = "problem_format_version: 2025-09\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\nname: Add\n"
GROUPS: Files = {
    "problem.yaml": HEAD + "type: scoring\n",
    "data/secret/1-easy/1.in": "",
    "data/secret/1-easy/1.ans": "",
    "data/secret/1-easy/test_group.yaml": "max_score: 30\nrequire_pass: sample\n",
    "data/secret/2-hard/1.in": "",
    "data/secret/2-hard/1.ans": "",
    "data/secret/2-hard/deep/2.in": "",
    "data/secret/2-hard/deep/2.ans": "",
    "data/secret/2-hard/test_group.yaml": (
        "max_score: 70\nscore_aggregation: sum\nrequire_pass: [secret/1-easy]\n"
    ),
}


def test_a_plain_package(modern: PackageReader) -> None:
    spec = modern()
    assert (spec.format, spec.title, spec.limits.time_ms) == (FormatVersion.V2025_09, "Add", 2000)
    assert [(group.name, group.depends_on) for group in spec.groups] == [
        ("sample", ()),
        ("secret", ("sample",)),
    ]
    assert (spec.warnings, spec.unused) == ((), ())


def test_everything_problem_yaml_can_say(modern: PackageReader) -> None:
    spec = modern(
        {
            "problem.yaml": HEAD.replace("name: Add", "name:\n  en: Add\n  no: Legg sammen")
            + "type: [pass-fail]\nversion: 1.10\nlicense: cc0\nrights_owner: Us\nembargo_until: 2030-01-01\n"
            "credits:\n  authors: Ada <a@x.example>\n  testers:\n  - name: Bob\n    orcid: 0000-1\n"
            "  translators:\n    no: Carl\n"
            "source:\n- name: NWERC\n  url: http://x.example\n- SWERC\n"
            "keywords: [dp, graphs]\nlanguages: [cpp, python3]\nallow_file_writing: true\n"
            "limits:\n  time_multipliers: {ac_to_time_limit: 3}\n  time_resolution: 0.5\n  memory: 256\n",
            "statement/problem.no.md": "Legg sammen.\n",
        }
    )
    assert dict(spec.names) == {"en": "Add", "no": "Legg sammen"}
    assert spec.metadata.credits == (
        Credit("authors", Person(name="Ada", email="a@x.example")),
        Credit("testers", Person(name="Bob", orcid="0000-1")),
        Credit("translators", Person(name="Carl"), "no"),
    )
    assert spec.metadata.sources == (Source("NWERC", "http://x.example"), Source("SWERC"))
    assert (spec.metadata.version, spec.metadata.embargo_until) == ("1.10", "2030-01-01")
    assert spec.languages == ("cpp", "python3")
    assert (spec.limits.time_ms, spec.limits.time_resolution_ms) == (None, 500)
    assert (spec.limits.slowest_accepted_factor, spec.limits.memory_mib) == (Decimal(3), 256)
    assert spec.warnings == ()


def test_groups_with_points_and_dependencies(modern: PackageReader) -> None:
    spec = modern(GROUPS, without=("data/secret",))
    assert [(group.name, int(group.points), group.scoring, group.depends_on) for group in spec.groups] == [
        ("sample", 0, GroupScoring.PASS_FAIL, ()),
        ("secret/1-easy", 30, GroupScoring.PASS_FAIL, ("sample",)),
        ("secret/2-hard", 70, GroupScoring.SUM, ("secret/1-easy",)),
    ]
    assert [(case.name, case.points) for case in spec.cases[2:]] == [
        ("secret/2-hard/1", Decimal(35)),
        ("secret/2-hard/deep/2", Decimal(35)),
    ]


def test_secret_without_groups_shares_its_points(modern: PackageReader) -> None:
    more = {f"data/secret/{n}.{ending}": "" for n in (2, 3) for ending in ("in", "ans")}
    spec = modern({"problem.yaml": HEAD + "type: scoring\n", **more})
    assert spec.groups[1].scoring is GroupScoring.SUM
    assert [str(case.points) for case in spec.cases[1:]] == ["33.333334", "33.333333", "33.333333"]
    assert spec.full_score == 100


def test_secret_may_be_all_or_nothing_over_its_groups(modern: PackageReader) -> None:
    top = {"data/secret/test_group.yaml": "score_aggregation: pass-fail\nmax_score: 50\n"}
    spec = modern({**GROUPS, **top}, without=("data/secret",))
    assert [(group.name, int(group.points)) for group in spec.groups] == [("sample", 0), ("secret", 50)]


def test_arguments_are_those_of_the_nearest_file(modern: PackageReader) -> None:
    spec = modern(
        {
            "data/secret/test_group.yaml": "output_validator_args: [case_sensitive]\n",
            "data/secret/1.yaml": (
                "input_validator_args: {check.py: ['--n', '3']}\ndescription: Small\nhint: Look\n"
                "full_feedback: true\n"
            ),
            "data/secret/2.in": "",
            "data/secret/2.ans": "",
            "data/secret/2.yaml": "output_validator_args: []\n",
        }
    )
    _, first, second = spec.cases
    assert first.output_validator_args == ("case_sensitive",)
    assert first.input_validator_args == InputArgs((), (("check.py", ("--n", "3")),))
    assert (first.description, first.hint, first.full_feedback) == ("Small", "Look", True)
    assert second.output_validator_args == ()


def test_an_interactive_problem(modern: PackageReader) -> None:
    spec = modern(
        {
            "problem.yaml": HEAD + "type: [scoring, interactive]\n",
            "output_validator/judge.py": "",
            "data/sample/1.interaction": ">1\n",
        }
    )
    assert isinstance(spec.validator, OutputValidator)
    assert (spec.validator.interactive, spec.validator.scores) == (True, True)
    spec = modern({"problem.yaml": HEAD + "type: scoring interactive\n"})
    assert (spec.scoring, spec.interactive) == (True, True)


def test_samples_show_what_overrides_them(modern: PackageReader) -> None:
    spec = modern({"data/sample/1.in.statement": "1  2\n", "data/sample/1.out": "3\n"})
    sample = spec.samples[0]
    assert sample.input is not None
    assert sample.output is not None
    assert (sample.input.name, sample.output.name) == ("1.in.statement", "1.out")


def test_outputs_and_inputs_that_prove_the_validators(modern: PackageReader) -> None:
    files = {
        f"data/{directory}/x.{ending}": ""
        for directory in ("valid_output", "invalid_output")
        for ending in ("in", "ans", "out")
    }
    spec = modern({**files, "data/invalid_input/y.in": ""})
    assert [(each.name, each.valid) for each in spec.output_examples] == [
        ("valid_output/x", True),
        ("invalid_output/x", False),
    ]
    assert [each.name for each in spec.invalid_inputs] == ["invalid_input/y"]


def test_rules_for_submissions(modern: PackageReader) -> None:
    spec = modern(
        {
            "submissions/brute_force/slow.py": "",
            "submissions/time_limit_exceeded/a.cpp": "",
            "submissions/time_limit_exceeded/b.cpp": "",
            "submissions/odd/c.cpp": "",
            "submissions/submissions.yaml": (
                "time_limit_exceeded:\n  permitted: [AC, WA, TLE]\n"
                "'time_limit_exceeded/{a,x}.cpp':\n  language: cpp\n  entrypoint: a\n  model_solution: true\n"
                "  authors: Ada\n  sample:\n    permitted: [AC]\n"
                "odd/*:\n  score: [10, 20.5]\n  message: too big\n  use_for_time_limit: false\n"
            ),
        }
    )
    by_name = {each.name: each for each in spec.submissions}
    tle = Expectation(
        permitted=frozenset({Outcome.AC, Outcome.WA, Outcome.TLE}), required=frozenset({Outcome.TLE})
    )
    first = by_name["time_limit_exceeded/a.cpp"]
    assert first.expectations == (tle, Expectation(cases="sample", permitted=frozenset({Outcome.AC})))
    assert (first.entrypoint, first.model_solution, first.authors) == ("a", True, (Person(name="Ada"),))
    assert by_name["time_limit_exceeded/b.cpp"].expectations == (tle,)
    assert by_name["odd/c.cpp"].expectations == (
        Expectation(score=(Decimal(10), Decimal("20.5")), message="too big", bounds_time_limit=False),
    )
    assert not by_name["brute_force/slow.py"].expectations[0].bounds_time_limit
    assert spec.warnings == ()


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("accepted", "accepted/a.py", True),
        ("accepted/*", "accepted/a.py", True),
        ("*/a.py", "accepted/a.py", True),
        ("*", "accepted/a.py", True),
        ("accepted/*.py", "accepted/a.cpp", False),
        ("a.py", "accepted/a.py", False),
        ("accepted/{a,b}.{py,cpp}", "accepted/b.cpp", True),
        ("secret/*-easy", "secret/1-easy", True),
        ("secret/g", "secret/g/1", True),
        ("secret/g", "secret/group/1", False),
        ("[a]", "a", False),
    ],
)
def test_a_pattern_matches_names_and_what_lies_below(pattern: str, path: str, expected: bool) -> None:  # noqa: FBT001 — a column of the table above
    assert matches(pattern, path) is expected


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"problem.yaml": HEAD + "type: multi-pass\n"}, "a multi-pass problem needs a program"),
        ({"problem.yaml": HEAD + "type: [submit-answer, interactive]\n"}, "neither interactive nor"),
        ({"problem.yaml": HEAD + "type: [pass-fail, scoring]\n"}, "either pass-fail or scoring"),
        ({"problem.yaml": HEAD + "type: fun\n"}, "no problem type 'fun'"),
        (
            {"problem.yaml": HEAD + "limits: {time_multipliers: {ac_to_time_limit: 0}}\n"},
            "ac_to_time_limit must be at least 1",
        ),
        ({"problem.yaml": HEAD + "type: interactive\n"}, "output_validator"),
        ({"problem.yaml": HEAD + "constants: {'n-1': 5}\n"}, "'n-1' is not how a constant is called"),
        ({"problem.yaml": HEAD + "constants: {n: {tex: 5}}\n"}, "n has no value"),
        ({"problem.yaml": HEAD + f"constants: {{n: {'x' * 10_001}}}\n"}, "n is longer than 10000 bytes"),
        ({"problem.yaml": "problem_format_version: 2025-09\n"}, "has no name"),
        ({"problem.yaml": "problem_format_version: 2099-01\nname: X\n"}, "not known"),
        (
            {
                "problem.yaml": "problem_format_version: 2023-07-draft\nname: X\n",
                "data/secret/testdata.yaml": "scoring: {score: 5}\n",
            },
            "data/secret/testdata.yaml has a map of scores",
        ),
        ({"data/secret/test_group.yaml": "max_score: 5\n"}, "only for scoring problems"),
        ({"data/secret/group/test_group.yaml": ""}, "data/secret/1.in is in none of them"),
        (
            {"data/secret/a/test_group.yaml": "", "data/secret/b/2.in": "", "data/secret/b/2.ans": ""},
            "is in none of them",
        ),
        ({"data/secret/a/b/test_group.yaml": ""}, "has no groups of its own"),
        ({"submissions/submissions.yaml": "accepted: {permitted: [OK]}\n"}, "not 'OK'"),
        ({"data/invalid_output/x.in": ""}, "x.ans"),
    ],
)
def test_what_cannot_be_judged_is_refused_with_a_sentence(
    modern: PackageReader, files: Files, sentence: str
) -> None:
    with pytest.raises(PackageRefusedError, match=sentence):
        modern(files)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ("max_score: 80\n", "worth 110 points"),
        ("score_aggregation: sum\n", "max_score is missing"),
        ("max_score: 1.5\n", "whole number"),
        ("max_score: 10\nrequire_pass: secret/2-hard\n", "no earlier group"),
        ("max_score: 10\nrequire_pass: secret/0-first\n", "not pass-fail"),
        ("max_score: 10\nscore_aggregation: best\n", "must be one of"),
        ("max_score: 10\nstatic_validation_score: 4\n", "static_validation_score must be pass-fail"),
    ],
)
def test_groups_that_contradict_themselves_are_refused(
    modern: PackageReader, settings: str, sentence: str
) -> None:
    first: Files = {
        "data/secret/0-first/1.in": "",
        "data/secret/0-first/1.ans": "",
        "data/secret/0-first/test_group.yaml": "max_score: 0\nscore_aggregation: sum\n",
        "data/secret/1-easy/test_group.yaml": settings,
        "data/secret/2-hard/test_group.yaml": "max_score: 30\n",
    }
    with pytest.raises(PackageRefusedError, match=sentence):
        modern({**GROUPS, **first}, without=("data/secret",))


def test_names_and_statements_in_different_languages_are_warned_about(modern: PackageReader) -> None:
    spec = modern({"statement/problem.sv.md": "Addera.\n"})
    assert "its statements are in en, sv" in spec.warnings[0]


@pytest.mark.parametrize("kind", ["pass-fail", "scoring"])
def test_a_directory_without_settings_only_sorts_cases(modern: PackageReader, kind: str) -> None:
    spec = modern(
        {
            "problem.yaml": f"{HEAD}type: {kind}\n",
            "data/secret/sub/2.in": "",
            "data/secret/sub/2.ans": "",
            "data/secret/sub/deeper/3.in": "",
            "data/secret/sub/deeper/3.ans": "",
        }
    )
    assert [group.name for group in spec.groups] == ["sample", "secret"]
    secret = [case.name for case in spec.cases if not case.is_sample]
    assert secret == ["secret/1", "secret/sub/2", "secret/sub/deeper/3"]


@pytest.mark.parametrize("entrypoint", ["solve.py", "solve", "lib/deep.py"])
def test_a_submission_begins_where_it_says_also_beside_a_main_file(
    modern: PackageReader, entrypoint: str
) -> None:
    spec = modern(
        {
            "submissions/submissions.yaml": f"accepted/p: {{entrypoint: {entrypoint}}}\n",
            **{f"submissions/accepted/p/{name}": "" for name in ("main.py", "solve.py", "lib/deep.py")},
        }
    )
    program = next(each for each in spec.submissions if each.name == "accepted/p").program
    assert entry_name(program).startswith(entrypoint)
    assert set(source_names(program)) == {"main.py", "solve.py", "lib/deep.py"}


def test_a_submission_in_another_encoding_is_read(modern: PackageReader) -> None:
    source = "# caf\xe9 @EXPECTED_RESULTS@: WRONG-ANSWER\n".encode("latin-1")
    spec = modern({"submissions/mixed/old.py": source})
    (old,) = (each for each in spec.submissions if each.name == "mixed/old.py")
    assert old.expectations[0].final == frozenset({Outcome.WA})


def test_settings_of_data_itself_hold_for_all_and_are_warned_about(modern: PackageReader) -> None:
    own = {"data/test_group.yaml": "output_validator_args: [case_sensitive]\n"}
    spec = modern({**own, "data/secret/test_group.yaml": "output_validator_args: []\n"})
    assert [case.output_validator_args for case in spec.cases] == [("case_sensitive",), ()]
    assert any(warning.startswith("data/test_group.yaml is no part of 2025-09") for warning in spec.warnings)
    with pytest.raises(PackageRefusedError, match="max_score belongs into data/secret"):
        modern({"data/test_group.yaml": "max_score: 100\n"})


def test_the_best_case_is_no_way_to_score_of_this_version(modern: PackageReader) -> None:
    scoring = {"problem.yaml": HEAD + "type: scoring\n"}
    with pytest.raises(PackageRefusedError, match="score_aggregation must be one of pass-fail, min, sum"):
        modern({**scoring, "data/secret/test_group.yaml": "score_aggregation: max\n"})


def test_answers_have_validators_and_bad_examples(modern: PackageReader) -> None:
    examples = {f"data/invalid_answer/x.{ending}": "" for ending in ("in", "ans")}
    spec = modern({**examples, "answer_validators/v.py": "", "answer_validators/f.ctd": ""})
    assert [each.name for each in spec.answer_validators] == ["f.ctd", "v.py"]
    assert [(each.name, str(each.answer)) for each in spec.invalid_answers] == [
        ("invalid_answer/x", "data/invalid_answer/x.ans")
    ]
    with pytest.raises(PackageRefusedError, match=r"data/invalid_answer/y.in needs a file y.ans beside it"):
        modern({"data/invalid_answer/y.in": ""})
