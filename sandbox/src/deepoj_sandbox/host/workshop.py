"""Everything needed to make boxes, opened and closed as one."""

from pathlib import Path
from types import TracebackType
from typing import Self

from deepoj_sandbox.cgroups.detect import open_hierarchy
from deepoj_sandbox.cgroups.port import CgroupKind
from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.host.maker import Maker
from deepoj_sandbox.host.slots import default_state_directory, take_slot
from deepoj_sandbox.request import BoxSpec


class Workshop:
    """A slot, a cgroup hierarchy and a factory. Use as a context manager."""

    def __init__(
        self,
        state: Path | None = None,
        toolchains: tuple[str, ...] = (),
        cgroup: CgroupKind | None = None,
    ) -> None:
        try:
            self._slot = take_slot(state or default_state_directory())
            self._hierarchy = open_hierarchy(self._slot.name, cgroup)
        except OSError as error:
            raise SandboxError("prepare host", error.errno or 0, str(error)) from error
        self._slot.record(self._hierarchy.roots())
        self._open: set[int] = set()
        try:
            self._maker = Maker(self._hierarchy, self._slot.directory, self._slot.first_user, toolchains)
        except BaseException:
            self._hierarchy.remove()
            self._slot.release()
            raise

    @property
    def cgroup(self) -> CgroupKind:
        return self._hierarchy.kind

    @property
    def factory_pid(self) -> int:
        return self._maker.factory_pid

    def make(self, spec: BoxSpec | None = None) -> Box:
        return self._maker.make(spec or BoxSpec())

    def close(self) -> None:
        self._maker.close()
        self._hierarchy.remove()
        self._slot.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
