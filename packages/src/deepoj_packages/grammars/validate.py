"""What runs in the box: the grammar beside it, the data on standard input, 42 for yes and 43 for no."""

from __future__ import annotations

import decimal
import sys
from collections.abc import Callable
from pathlib import Path

from deepoj_packages.grammars.checktestdata.commands import check as check_by_checktestdata
from deepoj_packages.grammars.mismatch import GrammarError, MismatchError
from deepoj_packages.grammars.viva.patterns import check as check_by_viva

CHECKS: dict[str, Callable[[str, str], None]] = {
    "checktestdata": check_by_checktestdata,
    "viva": check_by_viva,
}
_YES, _NO = 42, 43
_DEPTH = 4000
# More than anybody compares, and numbers as small and as large as there are.
_FLOATING = decimal.Context(
    prec=200, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN, traps=[decimal.InvalidOperation]
)


def main(language: str, name: str) -> None:
    """`name`: of the file with the grammar."""
    sys.setrecursionlimit(_DEPTH)
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    grammar = Path(__file__).parents[2] / name
    said = verdict(language, grammar.read_bytes(), sys.stdin.buffer.read())
    if said:
        sys.stderr.write(f"{said}\n")
    sys.exit(_NO if said else _YES)


def verdict(language: str, grammar: bytes, data: bytes) -> str:
    """Say why the data is not as it should be; nothing when it is. Characters are bytes, as to the tools."""
    try:
        with decimal.localcontext(_FLOATING):
            CHECKS[language](grammar.decode("latin-1"), data.decode("latin-1"))
    except MismatchError as error:
        return str(error)
    except GrammarError as error:
        return f"the grammar is wrong: {error}"
    except ArithmeticError:
        return "the grammar is wrong: it computes what has no result"
    except RecursionError:
        return "the grammar is wrong: it is nested too deeply"
    return ""
