"""A package with the tests that were made for it, as one archive that a server can import."""

from __future__ import annotations

import zipfile
from pathlib import Path

from deepoj_packages.options import ReadingLimits
from deepoj_packages.spec import ProblemSpec
from deepoj_packages.tree import Tree


def write_completed(package: ProblemSpec, archive: Path) -> None:
    """What was read, and each file that its recipes made where the format has it."""
    source = package.root if package.source is None else package.source
    made = {str(recipe.packed_as) for recipe in package.recipes}
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in Tree(source, ReadingLimits()).files:
            if str(file) not in made:
                packed.write(source / file, str(file))
        for recipe in package.recipes:
            packed.write(package.path(recipe.file), str(recipe.packed_as))
