"""What the setter's use cases need from outside."""

from collections.abc import Callable, Coroutine
from pathlib import PurePosixPath
from typing import Any, Protocol, TypeVar

from deepoj_domain.kernel.digest import ContentHash
from deepoj_judgement.commands.judge.sandbox_port import Blob
from deepoj_judgement.commands.setter.events import Event

Emit = Callable[[Event], None]
Result = TypeVar("Result")


class Turn(Protocol):
    """When something may run on this machine."""

    async def __call__(self, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Do it, perhaps more than once from the start: others may go before it."""
        ...


async def at_once(work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    return await work()


class PackageFiles(Protocol):
    """The files of one package, and solutions that lie elsewhere under their absolute path."""

    def content(self, file: PurePosixPath) -> ContentHash:
        """Name the content of a file; from then on the test data port lends it under that name."""
        ...

    def blob(self, file: PurePosixPath) -> Blob: ...

    def keep(self, file: PurePosixPath, content: Blob) -> None:
        """Give the package a file that it does not have yet."""
        ...
