"""Code that a problem puts around every submission in a language, as HUSTOJ and QDUOJ do."""

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import NamedTuple

from deepoj_packages.foreign.draft import Draft
from deepoj_packages.languages import ending_of, language_of
from deepoj_packages.refusal import shortened, unsupported
from deepoj_packages.spec import IncludedFiles

_INCLUDE = PurePosixPath("include")


class Around(NamedTuple):
    language: str
    """As the other judge calls it."""
    before: str
    after: str


def included_around(draft: Draft, found: Iterable[Around]) -> tuple[IncludedFiles, ...]:
    """What is for languages that nobody here knows is left out, but not all of it."""
    included: dict[str, IncludedFiles] = {}
    unknown = ""
    for each in found:
        if not (each.before.strip() or each.after.strip()):
            continue
        ending = ending_of(each.language)
        code = language_of(PurePosixPath(f"a{ending}")) if ending else None
        if code is None:
            unknown = shortened(each.language)
            draft.warn(f"code around submissions in {unknown!r} is left out: nobody here knows that language")
        elif code in included:
            draft.warn(
                f"code around submissions in {shortened(each.language)!r} is left out: {code} has some"
            )
        else:
            included[code] = _included(draft, code, f"{ending}", each)
    if unknown and not included:
        raise unsupported(f"it puts code around submissions in {unknown!r}, which is not known here")
    return tuple(included.values())


def _included(draft: Draft, code: str, ending: str, around: Around) -> IncludedFiles:
    texts = {f"before{ending}": around.before, f"after{ending}": around.after}
    written = {name: text for name, text in texts.items() if text.strip()}
    files = tuple((name, draft.write(_INCLUDE / code / name, text)) for name, text in written.items())
    before, after = (name if name in written else "" for name in texts)
    return IncludedFiles(language=code, files=files, before=before, after=after)
