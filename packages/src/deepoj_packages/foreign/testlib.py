"""Programs that use testlib: which of its standard checkers we have, and how its validators become ours."""

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from deepoj_packages.foreign.draft import Draft
from deepoj_packages.languages import is_header
from deepoj_packages.spec import Program
from deepoj_packages.tree import Tree

HEADER = "testlib.h"
# The standard checkers that are the default validator with these flags.
EXACT_CHECKERS = {
    **dict.fromkeys(("wcmp", "ncmp", "hcmp", "icmp"), ("case_sensitive",)),
    **dict.fromkeys(("yesno", "nyesno"), ()),
}
STANDARD_CHECKERS = {
    **EXACT_CHECKERS,
    **{
        name: ("case_sensitive", "float_tolerance", f"1e-{digits}")
        for name, digits in (("rcmp4", 4), ("rcmp6", 6), ("rcmp9", 9), ("dcmp", 6))
    },
}
"""With those that read some numbers otherwise: for packages that name one and do not bring it."""

# Made before testlib's own objects, so that it ends after they looked at how the validator ended.
_CONFIRMING = """// testlib's validators confirm an input with 0, those of the ICPC format with 42.
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

static void confirm(int status, void *) {{
    if (status == 0) {{
        fflush(nullptr);
        _exit(42);
    }}
}}
static int confirms = on_exit(confirm, nullptr);

#include "{validator}"
"""


def headers(tree: Tree, directory: PurePosixPath) -> tuple[Path, ...]:
    """Those beside a program, and testlib.h, which one archive may have for all its problems."""
    own = tuple(tree.path(file) for file in tree.entries(directory) if is_header(file) and tree.has(file))
    return own if tree.has(directory / HEADER) else (*own, *common_header(tree.top))


def common_header(top: Path) -> tuple[Path, ...]:
    """The one at the top of an archive."""
    common = top / HEADER
    return (common,) if common.is_file() and not common.is_symlink() else ()


def input_validator(draft: Draft, at: PurePosixPath, validator: Path, beside: Iterable[Path]) -> Program:
    """An input validator of the ICPC format around one of testlib, which is compiled as a part of it."""
    inside = draft.put(at / f"{validator.stem}.inc", validator)
    main = draft.write(at / "confirm.cpp", _CONFIRMING.format(validator=inside.name))
    taken = (draft.put(at / header.name, header) for header in beside)
    return Program(at.name, at, "cpp", main, (main, inside, *taken))
