"""Whether the programs of a box did anything since somebody last asked.

What they say to each other is seen by whoever asks: one answer tells only that nobody computed or was about
to.
"""

from deepoj_sandbox.cgroups.polling_meter import thread_states

# Runtimes with timers of their own compute a little while they wait.
_LEAST_NS = 10_000_000
# Waiting for a processor or a disk is not waiting for another program.
_AWAKE = frozenset(b"RD")


class Stillness:
    def __init__(self) -> None:
        self._used = 0

    def since_last(self, used: int) -> bool:
        """Say whether nothing happened, by the processor time used so far."""
        still = used - self._used < _LEAST_NS and _AWAKE.isdisjoint(thread_states())
        self._used = used
        return still
