"""Programs of packages that bring `build` and `run`, or `run` alone: a row that is not in the table.

So nobody can choose it for a submission, and one text is no program of it whatever it is called.
"""

from typing import Final

from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.submission.route import Lane
from deepoj_languages.language import EntryPoint, Language

BUILD: Final = "build"
RUN: Final = "run"
ARCHIVE: Final = "built.tar"

SCRIPTS: Final = Language(
    slug=LanguageSlug("scripts"),
    name="scripts to build and run",
    lane=Lane.HEAVY,
    source_name="text.txt",
    entry=EntryPoint.SCRIPTS,
    # A script works beside its files, which nobody may change where they are; all it leaves is taken.
    compile=(
        ("cp", "-r", "/app/.", "."),
        ("/box/build",),
        (
            "tar",
            "--create",
            "--dereference",
            "--hard-dereference",
            f"--exclude=./{ARCHIVE}",
            f"--file={ARCHIVE}",
            ".",
        ),
    ),
    artifacts=(ARCHIVE,),
    run=("/app/run",),
    version=("tar", "--version"),
    package="tar coreutils",
    template="",
)
