"""The files of a backup tell when they are not what was written."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from errno import ENOSPC
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from deepoj.backup.check import damage_of
from deepoj.backup.progress import failures_of
from deepoj.backup.put_back import refuse_newer, secrets_of
from deepoj.backup.repository import Content, DamagedError, Entry, Manifest, Repository, opened
from deepoj.backup.seal import PIECE, Seal, seal_of, sealed_size
from deepoj.backup.take import latest_entries
from deepoj.errors import Exit, Failure

KEY = b"0123456789abcdef0123456789abcdef"
SEALS = [None, Seal(KEY)]


@pytest.fixture(params=SEALS, ids=["plain", "sealed"])
def repository(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Repository]:
    with opened(tmp_path / "backups", request.param, make=True) as found:
        yield found


def store(repository: Repository, *chunks: bytes) -> Content:
    with repository.draft() as draft:
        for chunk in chunks:
            draft.write(chunk)
    return draft.content


def files(root: Path) -> list[Path]:
    return sorted(root.glob("backups/files/*/*"))


def commit(repository: Repository, name: str, *entries: Entry) -> Manifest:
    database = store(repository, b"dump of " + name.encode())
    lines = b"".join(
        f'{{"key":"{e.key}","size":{e.size},"etag":"","sha256":"{e.sha256}"}}\n'.encode() for e in entries
    )
    manifest = Manifest(
        name, datetime(2026, 1, 1, tzinfo=UTC), "1", database, store(repository, lines), 1, 1, None
    )
    repository.commit(manifest)
    return manifest


@pytest.mark.parametrize("size", [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE])
def test_a_content_comes_back_whole(repository: Repository, tmp_path: Path, size: int) -> None:
    content = store(repository, b"x" * (size // 2), b"x" * (size - size // 2))
    assert b"".join(repository.read(content)) == b"x" * size
    assert repository.has(content)
    assert not repository.has(Content(content.sha256, size + 1))
    assert files(tmp_path)[0].stat().st_size in {size, sealed_size(size)}


@pytest.mark.parametrize("harm", ["cut", "longer", "flipped", "gone", "swapped"])
def test_harm_to_a_file_is_noticed(repository: Repository, tmp_path: Path, harm: str) -> None:
    content = store(repository, b"x" * (2 * PIECE))
    (path,) = files(tmp_path)
    held = path.read_bytes()
    if harm == "gone":
        path.unlink()
    elif harm == "swapped":
        store(repository, b"y" * (2 * PIECE))
        path.write_bytes(next(each for each in files(tmp_path) if each != path).read_bytes())
    else:
        # The cut is at the border of a piece: what is left is a good beginning.
        cut = held[: -(PIECE + 16)] if len(held) != 2 * PIECE else held[:PIECE]
        path.write_bytes({"cut": cut, "longer": held + b"x", "flipped": held[:-1] + b"!"}[harm])
    with pytest.raises(DamagedError):
        list(repository.read(content))


def test_a_draft_that_fails_leaves_nothing(repository: Repository, tmp_path: Path) -> None:
    def fail(content: bytes) -> None:
        with repository.draft() as draft:
            draft.write(content)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail(b"half")
    assert not [path for path in tmp_path.glob("backups/files/**/*") if path.is_file()]


def test_dropping_a_backup_keeps_what_others_need(repository: Repository, tmp_path: Path) -> None:
    shared, old = store(repository, b"shared"), store(repository, b"old")
    commit(repository, "1", Entry("a", 6, "", shared.sha256), Entry("b", 3, "", old.sha256))
    kept = commit(repository, "2", Entry("a", 6, "", shared.sha256))
    repository.drop(["1"])
    assert repository.names() == ["2"]
    assert [b"".join(repository.read(each.content)) for each in repository.entries(kept)] == [b"shared"]
    assert not repository.has(old)
    assert len(files(tmp_path)) == 3


def test_nothing_sealed_can_be_read_or_recognised_without_the_key(tmp_path: Path) -> None:
    root = tmp_path / "backups"
    with opened(root, Seal(KEY), make=True) as repository:
        content = store(repository, b"a secret")
        commit(repository, "1")
    for path in [*files(tmp_path), root / "backups" / "1.json"]:
        assert b"secret" not in path.read_bytes()
        assert b"dump" not in path.read_bytes()
        assert content.sha256 not in path.name
    with opened(root, Seal(KEY[::-1])) as stranger, pytest.raises(DamagedError):
        stranger.manifest("1")
    with pytest.raises(Failure, match="key-file"), opened(root, None):
        pass


def test_a_sealed_manifest_cannot_stand_for_another(tmp_path: Path) -> None:
    with opened(tmp_path / "backups", Seal(KEY), make=True) as repository:
        commit(repository, "1")
        (tmp_path / "backups" / "backups" / "1.json").rename(tmp_path / "backups" / "backups" / "2.json")
        with pytest.raises(DamagedError):
            repository.manifest("2")


def test_a_directory_of_others_is_refused_and_one_user_at_a_time_let_in(tmp_path: Path) -> None:
    (tmp_path / "others").mkdir()
    (tmp_path / "others" / "thesis.txt").touch()
    with pytest.raises(Failure) as refused, opened(tmp_path / "others", None, make=True):
        pass
    assert refused.value.code is Exit.UNUSABLE
    with (
        opened(tmp_path / "backups", None, make=True),
        pytest.raises(Failure) as busy,
        opened(tmp_path / "backups", None),
    ):
        pass
    assert busy.value.code is Exit.BUSY


@pytest.mark.parametrize(("mode", "text"), [(0o644, KEY), (0o600, b"short"), (0o600, b"x" * 5000)])
def test_a_key_that_others_read_or_guess_is_refused(tmp_path: Path, mode: int, text: bytes) -> None:
    path = tmp_path / "key"
    path.write_bytes(text)
    path.chmod(mode)
    with pytest.raises(Failure, match="head -c 32"):
        seal_of(path)


def rewritten(tmp_path: Path, **parts: object) -> None:
    """Change the manifest as whoever may write to the directory can, where nothing is sealed."""
    path = tmp_path / "backups" / "backups" / "1.json"
    path.write_bytes(msgspec.json.encode(msgspec.json.decode(path.read_bytes()) | parts))


OUTSIDE = ["../../outside", "/etc/passwd", "..", "", "A" * 64, "a" * 63, "a" * 64 + "\n", "a" * 64 + "/../x"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_manifest_names_nothing_outside_of_its_directory(tmp_path: Path, name: str) -> None:
    with opened(tmp_path / "backups", None, make=True) as repository:
        commit(repository, "1")
        rewritten(tmp_path, database={"sha256": name, "size": 1})
        with pytest.raises(DamagedError):
            repository.manifest("1")


@pytest.mark.parametrize(
    "line",
    [
        *(
            f'{{"key":"a","size":1,"etag":"","sha256":{msgspec.json.encode(name).decode()}}}'
            for name in OUTSIDE
        ),
        '{"key":"a","size":-1,"etag":"","sha256":"' + "a" * 64 + '"}',
        "nonsense",
        "{",
        "\udcff",
    ],
)
def test_a_list_of_objects_that_makes_no_sense_is_damage(repository: Repository, line: str) -> None:
    objects = store(repository, line.encode(errors="surrogateescape") + b"\n")
    manifest = replace(commit(repository, "1"), objects=objects)
    with pytest.raises(DamagedError):
        list(repository.entries(manifest))
    repository.commit(manifest)
    found = damage_of(repository, "1", set(), lambda _: None)
    assert found == ["the list of objects is damaged or missing"]


def test_a_file_that_is_larger_than_it_says_is_not_read_to_its_end(repository: Repository) -> None:
    content = store(repository, b"x" * 10 * PIECE)
    pieces = repository.read(Content(content.sha256, PIECE))
    assert len(next(pieces)) == PIECE
    with pytest.raises(DamagedError):
        next(pieces)


def test_what_cannot_be_read_at_all_is_damage_with_a_reason(repository: Repository, tmp_path: Path) -> None:
    content = store(repository, b"x")
    (path,) = files(tmp_path)
    path.unlink()
    path.mkdir()
    with pytest.raises(DamagedError, match="Is a directory"):
        list(repository.read(content))


def test_a_credential_that_is_none_is_damage(repository: Repository) -> None:
    manifest = replace(commit(repository, "1"), secrets=store(repository, b"no JSON"))
    with pytest.raises(DamagedError):
        secrets_of(repository, manifest)


@pytest.mark.parametrize("text", ['{"format":2,"sealed":false}', "{", "[]", '{"format":"1"}'])
def test_a_directory_of_another_format_is_refused(tmp_path: Path, text: str) -> None:
    with opened(tmp_path / "backups", None, make=True) as repository:
        commit(repository, "1")
    (tmp_path / "backups" / "repository.json").write_text(text)
    with (
        pytest.raises(Failure, match="no backups that this deepoj reads"),
        opened(tmp_path / "backups", None),
    ):
        pass


def test_a_backup_of_a_newer_release_is_refused_and_one_without_revisions_is_not(tmp_path: Path) -> None:
    with opened(tmp_path / "backups", None, make=True) as repository:
        refuse_newer(commit(repository, "1"))
        for strange in ({"record": "record_9999"}, {"later": "later_0001"}):
            rewritten(tmp_path, revisions={"record": "record_0001", **strange})
            with pytest.raises(Failure, match="newer release") as refused:
                refuse_newer(repository.manifest("1"))
            assert refused.value.code is Exit.REFUSED


def test_what_is_found_damaged_is_set_aside_for_the_next_backup_to_copy_again(
    repository: Repository, tmp_path: Path
) -> None:
    content = store(repository, b"of an object")
    commit(repository, "1", Entry("a", content.size, "", content.sha256))
    path = next(each for each in files(tmp_path) if each.stat().st_size in {content.size, sealed_size(12)})
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    assert repository.has(content), "its size is as it was"
    assert damage_of(repository, "1", set(), lambda _: None) == ["object a is damaged or missing"]
    assert not repository.has(content)
    store(repository, b"of an object")
    assert damage_of(repository, "1", set(), lambda _: None) == []
    repository.drop([])
    assert len(files(tmp_path)) == 3, "what was set aside goes with the next backup that removes old ones"


def test_nothing_is_set_aside_for_a_wrong_key(tmp_path: Path) -> None:
    root = tmp_path / "backups"
    with opened(root, Seal(KEY), make=True) as repository:
        commit(repository, "1")
    before = files(tmp_path)
    with opened(root, Seal(KEY[::-1])) as stranger:
        assert damage_of(stranger, "1", set(), lambda _: None)
    assert files(tmp_path) == before


@pytest.mark.parametrize("part", ["manifest", "list"])
def test_a_damaged_backup_is_in_the_way_of_no_further_one(
    repository: Repository, tmp_path: Path, part: str
) -> None:
    commit(repository, "1", Entry("a", 0, "", sha256(b"").hexdigest()))
    latest = commit(repository, "2")
    if part == "manifest":
        (tmp_path / "backups" / "backups" / "2.json").write_bytes(b"{")
    else:
        repository.set_aside(latest.objects)
    assert list(latest_entries(repository)) == ["a"]
    kept = files(tmp_path)
    with pytest.raises(DamagedError, match=r"of 2\b"):
        repository.drop(["1"])
    assert repository.names() == ["1", "2"]
    assert files(tmp_path) == kept, "nobody knows which of them the damaged one needs"


def test_a_directory_whose_making_was_cut_off_is_made_to_its_end(tmp_path: Path) -> None:
    root = tmp_path / "backups"
    for directory in (root, root / "files", root / "backups"):
        directory.mkdir(mode=0o700)
    (root / "files" / ".draft-mark").write_text('{"form')
    with opened(root, None, make=True) as repository:
        commit(repository, "1")
    assert not list(root.glob("files/.draft-*"))


def test_a_backup_on_a_read_only_disk_is_read(tmp_path: Path) -> None:
    root = tmp_path / "backups"
    with opened(root, None, make=True) as repository:
        commit(repository, "1")
    (root / "files" / ".draft-left").touch()
    with opened(root, None) as repository:
        assert repository.names() == ["1"]
    assert (root / "files" / ".draft-left").exists(), "who only reads tidies nothing up"


@pytest.mark.parametrize(
    ("trouble", "code", "sentence"),
    [
        (OSError(ENOSPC, "No space left on device"), Exit.UNUSABLE, "a disk is full: that of /mnt/b"),
        (KeyboardInterrupt(), Exit.INTERRUPTED, "Ctrl-C broke it off"),
        (DamagedError("object a"), Exit.FAILED, r"\(object a\).*--verify.*--from"),
    ],
)
def test_what_stops_a_backup_is_told_with_what_to_do(
    trouble: BaseException, code: Exit, sentence: str
) -> None:
    with pytest.raises(Failure, match=sentence) as told, failures_of("/mnt/b"):
        raise trouble
    assert told.value.code is code
