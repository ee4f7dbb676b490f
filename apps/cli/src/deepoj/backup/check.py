"""Read every file of a backup and say what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from deepoj.backup.repository import Content, DamagedError, Manifest, Repository


def damage_of(
    repository: Repository, name: str, good: set[Content], tell: Callable[[int], None]
) -> list[str]:
    """Return a sentence for each file that is missing or wrong, and set that file aside.

    `good` holds those that were read already.
    """
    try:
        manifest = repository.manifest(name)
    except DamagedError:
        return ["its manifest cannot be read: it is damaged, or the key is another"]
    found = []
    try:
        for what, content in _contents(repository, manifest):
            if content in good:
                continue
            try:
                tell(sum(map(len, repository.read(content))))
            except DamagedError:
                repository.set_aside(content)
                found.append(f"{what} is damaged or missing")
            else:
                good.add(content)
    except DamagedError:
        found.append("the list of objects is damaged or missing")
    return found


def _contents(repository: Repository, manifest: Manifest) -> Iterator[tuple[str, Content]]:
    yield "the database", manifest.database
    if manifest.secrets is not None:
        yield "the service credential", manifest.secrets
    for entry in repository.entries(manifest):
        yield f"object {entry.key}", entry.content
