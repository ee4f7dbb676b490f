"""No cgroup at all: nothing to create; the keeper polls instead (polling_meter.py)."""

from deepoj_sandbox.cgroups.port import CgroupKind


class NoGroup:
    def join_files(self) -> tuple[int, ...]:
        return ()

    def meter_files(self) -> tuple[int, ...]:
        return ()

    def oom_kills(self) -> int:
        return 0

    def remove(self) -> None:
        pass


class NoHierarchy:
    kind = CgroupKind.NONE

    def create(self, name: str) -> NoGroup:  # noqa: ARG002 -- nothing to name
        return NoGroup()

    def roots(self) -> tuple[str, ...]:
        return ()

    def remove(self) -> None:
        pass
