"""include/: files that are put beside every submission before it is compiled."""

from pathlib import PurePosixPath

from deepoj_languages.table import source_name_of_package
from deepoj_packages.languages import is_known
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import IncludedFiles

INCLUDE = PurePosixPath("include")
DEFAULT = "default"


def read_included(reading: Reading) -> tuple[IncludedFiles, ...]:
    found = []
    for directory in reading.tree.entries(INCLUDE):
        files = reading.tree.use_below(directory)
        if not files:
            reading.warn(f"{directory} is in no directory of a language and was not used")
        elif directory.name == DEFAULT or is_known(directory.name):
            found.append(_included(directory, files))
        else:
            reading.warn(f"{directory} is for no language that is known and was not used")
    return tuple(found)


def _included(directory: PurePosixPath, files: tuple[PurePosixPath, ...]) -> IncludedFiles:
    language = "" if directory.name == DEFAULT else directory.name
    named = tuple((str(file.relative_to(directory)), file) for file in files)
    main = source_name_of_package(language) or ""
    return IncludedFiles(
        language=language, files=named, main=main if any(name == main for name, _ in named) else ""
    )
