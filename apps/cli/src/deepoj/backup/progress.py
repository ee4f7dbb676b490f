"""What backup and restore show while they work, and the failures they have in common."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EDQUOT, ENOSPC
from tempfile import gettempdir
from typing import Final

from rich.filesize import decimal
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from deepoj.backup.repository import DamagedError
from deepoj.console import err
from deepoj.errors import Exit, Failure
from deepoj_kit.objects import ObjectStoreError
from deepoj_kit.unavailable import Unavailable

_FULL: Final = frozenset({ENOSPC, EDQUOT})
_WHOLE: Final = "A backup, and the database, changes whole or not at all; objects that were copied are kept"
Show = Callable[[str], None]


@contextmanager
def shown(what: str) -> Iterator[Show]:
    """Show what is being done, and for how long, where a person looks."""
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=err(), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(what, total=None)
        yield lambda said: progress.update(task, description=f"{what}: {said}")


def so_far(objects: int, copied: int) -> str:
    return f"{objects} objects, {decimal(copied)} copied"


@contextmanager
def failures_of(root: object) -> Iterator[None]:
    try:
        yield
    except DamagedError as error:
        raise Failure(
            f"the backups in {root} are damaged ({error}), or the key is another: look with deepoj backup "
            f"{root} --verify, and name another one with --from",
            Exit.FAILED,
        ) from error
    except Unavailable as error:
        raise Failure(
            f"a store went away: {error}; try again, what was copied is kept", Exit.UNREACHABLE
        ) from error
    except ObjectStoreError as error:
        raise Failure(f"the object store refused: {error}", Exit.FAILED) from error
    except KeyboardInterrupt as interrupt:
        raise Failure(
            f"Ctrl-C broke it off. {_WHOLE}",
            Exit.INTERRUPTED,
        ) from interrupt
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise Failure(
            f"a disk is full: that of {root}, of the system or of temporary files ({gettempdir()}). Make "
            f"room and try again. {_WHOLE}",
            Exit.UNUSABLE,
        ) from error
