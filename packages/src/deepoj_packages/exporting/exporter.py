"""Write a problem as a package into a directory."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from deepoj_packages.exporting.entries import Entry
from deepoj_packages.exporting.legacy import legacy_entries
from deepoj_packages.exporting.modern import modern_entries
from deepoj_packages.exporting.polygon import polygon_entries
from deepoj_packages.exporting.same_judging import check_read_back
from deepoj_packages.options import ExportFormat
from deepoj_packages.spec import ProblemSpec

_ENTRIES: dict[ExportFormat, Callable[[ProblemSpec], Iterator[Entry]]] = {
    ExportFormat.V2025_09: modern_entries,
    ExportFormat.LEGACY: legacy_entries,
    ExportFormat.POLYGON: polygon_entries,
}


def export_directory(spec: ProblemSpec, directory: Path, form: ExportFormat = ExportFormat.V2025_09) -> None:
    """`directory` must not exist; it is there completely or not at all.

    Raise PackageRefusedError for what the format cannot say.
    """
    entries = list(_ENTRIES[form](spec))
    directory.mkdir(parents=True)
    try:
        for entry in entries:
            _write(directory, entry)
        if form is not ExportFormat.V2025_09:
            check_read_back(spec, directory)
    except BaseException:
        shutil.rmtree(directory, ignore_errors=True)
        raise


def _write(directory: Path, entry: Entry) -> None:
    target = directory / entry.path
    target.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(entry.content, bytes):
        target.write_bytes(entry.content)
    else:
        shutil.copyfile(entry.content, target)
    if entry.executable:
        target.chmod(0o755)
