"""Output on its way back to the client: short in the answer's own packet, long in a memfd beside it."""

from deepoj_sandbox.codec import Json, JsonValue
from deepoj_sandbox.host.output import Collected
from deepoj_sandbox.host.streams import Sink


class Outputs:
    """The sinks of one request, by name."""

    def __init__(self) -> None:
        self._collected: dict[str, Collected] = {}

    def collect(self, name: str) -> Sink:
        return self._collected.setdefault(name, Collected())

    def describe(self) -> Json:
        """Say what is attached: names of memfds, and lengths of what follows the JSON."""
        memfds: list[JsonValue] = [name for name, each in self._collected.items() if each.memfd >= 0]
        short: Json = {name: len(each.short) for name, each in self._collected.items() if each.short}
        return {"memfds": memfds, "short": short}

    def tail(self) -> bytes:
        return b"".join(each.short for each in self._collected.values())

    def memfds(self) -> tuple[int, ...]:
        return tuple(each.memfd for each in self._collected.values() if each.memfd >= 0)

    def close(self) -> None:
        for each in self._collected.values():
            each.close()
        self._collected = {}
