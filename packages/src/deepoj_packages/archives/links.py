"""Links of a tar, resolved by their text alone: the file system is never asked to follow one."""

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from deepoj_packages.refusal import PackageRefusedError, Reason

_HOPS = 8


def lexical_target(link: PurePosixPath, target: str) -> PurePosixPath:
    """Where a symbolic link leads, as a path of the package; refuse what leaves it."""
    if target.startswith("/"):
        raise leaves(link)
    parts = list(link.parent.parts)
    for part in target.split("/"):
        if part == "..":
            if not parts:
                raise leaves(link)
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return PurePosixPath(*parts)


def expand(
    links: Mapping[PurePosixPath, PurePosixPath], files: frozenset[PurePosixPath]
) -> Iterator[tuple[PurePosixPath, PurePosixPath]]:
    """Each further name and the written file it stands for; a linked directory gives all its files."""
    for link in links:
        target = _end_of(link, links)
        if target in files:
            yield link, target
            continue
        inside = sorted(file for file in files if target in file.parents)
        if not inside:
            raise PackageRefusedError(
                Reason.UNSAFE_ENTRY, f"{link} links to {target}, which is not in the package"
            )
        yield from ((link / file.relative_to(target), file) for file in inside)


def _end_of(link: PurePosixPath, links: Mapping[PurePosixPath, PurePosixPath]) -> PurePosixPath:
    target = link
    for _ in range(_HOPS):
        if target not in links:
            return target
        target = links[target]
    raise PackageRefusedError(Reason.UNSAFE_ENTRY, f"{link} is a link that leads nowhere")


def leaves(link: PurePosixPath) -> PackageRefusedError:
    return PackageRefusedError(Reason.UNSAFE_ENTRY, f"{link} is a link that leaves the package")
