"""Which tests a change calls for."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from deepoj.checkout import find_checkout
from deepoj.checks.changed import Member, called_for, changed_files, members_of
from deepoj.checks.steps import all_steps
from deepoj.errors import Failure

MEMBERS = (
    Member("domain", "deepoj_domain", frozenset()),
    Member("kit", "deepoj_kit", frozenset()),
    Member("apps/game", "deepoj_game", frozenset({"deepoj_domain", "deepoj_kit"})),
    Member("apps/cli", "deepoj", frozenset({"deepoj_kit", "deepoj_game"})),
)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ([], []),
        (["kit/src/deepoj_kit/ids.py"], ["apps/cli", "apps/game", "kit", "tests/architecture"]),
        (["apps/game/src/deepoj_game/settings.py"], ["apps/cli", "apps/game", "tests/architecture"]),
        (["domain/tests/test_ids.py", "apps/cli/README.md"], ["domain", "tests/architecture"]),
        (["tests/e2e/test_live.py"], ["tests/architecture", "tests/e2e"]),
        (["benchmarks/http/stage.py"], ["benchmarks", "tests/architecture"]),
        (["domain/tests/test_ids.py", "uv.lock"], None),
    ],
)
def test_a_change_calls_for_its_member_and_what_depends_on_it(
    files: list[str], expected: list[str] | None
) -> None:
    assert called_for(files, MEMBERS) == expected


def test_a_member_depends_on_the_packages_its_files_name() -> None:
    checkout = find_checkout()
    assert checkout is not None
    members = {each.path: each for each in members_of(checkout)}
    assert members["domain"].names.isdisjoint({"deepoj_kit", "deepoj_record"})
    assert {"deepoj_domain", "deepoj_kit", "deepoj_migrations"} <= members["apps/record"].names
    assert members["apps/cli"].package == "deepoj"


@pytest.fixture
def branch(tmp_path: Path) -> Path:
    """A repository with a branch off main and one file that both have."""
    _git(tmp_path, "init", "--initial-branch=main")
    (tmp_path / "old").touch()
    _git(tmp_path, "add", ".")
    _git(tmp_path, "commit", "--message=first")
    _git(tmp_path, "checkout", "-b", "branch")
    return tmp_path


def test_what_was_committed_edited_or_added_since_main_has_changed(branch: Path) -> None:
    assert changed_files(branch) == []
    (branch / "committed").touch()
    _git(branch, "add", ".")
    _git(branch, "commit", "--message=second")
    (branch / "old").write_text("edited")
    (branch / "new").touch()
    assert changed_files(branch) == ["committed", "old", "new"]


def test_without_a_main_branch_nothing_is_guessed(branch: Path) -> None:
    _git(branch, "branch", "--delete", "--force", "main")
    with pytest.raises(Failure, match="no branch main"):
        changed_files(branch)


def test_the_quick_checks_run_always_and_of_the_tests_those_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    checkout = find_checkout()
    assert checkout is not None
    every = [step.name for step in all_steps(checkout, ())]
    quick = every[: every.index("domain alone")]
    none = [step.name for step in all_steps(checkout, (), [])]
    some = all_steps(checkout, ("-x",), ["apps/game", "packages", "tests/architecture"])
    assert none == quick
    assert [step.name for step in some] == [*quick, "packages alone", "pytest"]
    assert some[-1].argv[-3:] == ("apps/game", "tests/architecture", "-x")


def _git(directory: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=nobody", "-c", "user.email=nobody@localhost")
    subprocess.run(["git", *identity, *arguments], cwd=directory, check=True, capture_output=True)
