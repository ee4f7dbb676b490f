"""The patterns of submissions.yaml: `*` within one name, braces for alternatives, nothing else."""

from pathlib import PurePosixPath


def matches(pattern: str, path: str) -> bool:
    """A pattern matches what it names and everything below."""
    places = (path, *(str(parent) for parent in PurePosixPath(path).parents if parent.parts))
    return any(_fits(pattern.strip("/"), place) for place in places)


def _fits(pattern: str, place: str) -> bool:
    """Read the pattern once, with all the ends that what was read so far can have in `place`.

    A regular expression would try the stars of a hostile pattern one within the other, and not end.
    """
    closed = pattern.count("{") == pattern.count("}")
    here = {0}
    groups: list[tuple[set[int], set[int]]] = []  # where its alternatives begin, and where those read end
    for letter in pattern:
        if letter == "*":
            here = _within_the_name(place, here)
        elif letter == "{" and closed:
            groups.append((here, set()))
        elif letter == "," and groups:
            begin, ends = groups[-1]
            ends |= here
            here = begin
        elif letter == "}" and groups:
            here = here | groups.pop()[1]
        else:
            here = {at + 1 for at in here if place.startswith(letter, at)}
    for _, ends in groups:
        here = here | ends
    return len(place) in here


def _within_the_name(place: str, begins: set[int]) -> set[int]:
    reached: set[int] = set()
    for at in sorted(begins):
        if at not in reached:
            end = place.find("/", at)
            reached.update(range(at, (len(place) if end < 0 else end) + 1))
    return reached
