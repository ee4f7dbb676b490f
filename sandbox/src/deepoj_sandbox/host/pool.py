"""A few boxes ready before they are asked for, and a bound on how many exist."""

import contextlib
import queue
import threading
import time
from collections import deque

from deepoj_sandbox.errors import BadRequest, Busy, SandboxError
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.host.workshop import Workshop
from deepoj_sandbox.request import BoxSpec

_RETRY_SECONDS = 0.2


class Pool:
    """Boxes are used once: what is given back is destroyed, in the background."""

    def __init__(self, workshop: Workshop, ready: int, most: int) -> None:
        self._workshop = workshop
        self._default = BoxSpec()
        self._ready: deque[Box] = deque()
        self._target = ready
        self._most = most
        self._lent = 0
        self._changed = threading.Condition()
        self._returned: queue.SimpleQueue[Box | None] = queue.SimpleQueue()
        self._closing = False
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._fill, self._dispose)]
        for thread in self._threads:
            thread.start()

    def borrow(self, spec: BoxSpec, wait_seconds: float, count: int = 1) -> list[Box]:
        """Lend boxes, waiting at most so long for all to be allowed; then raise Busy.

        All at once: of two who hold some and wait for more, neither might ever get them.
        """
        if count > self._most:
            raise BadRequest("request.count", f"{count} boxes are needed, and this host lends {self._most}")
        deadline = time.monotonic() + wait_seconds
        with self._changed:
            while self._lent + count > self._most:
                left = deadline - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    raise Busy
            self._lent += count
            kept = len(self._ready) if spec == self._default else 0
            boxes = [self._ready.popleft() for _ in range(min(count, kept))]
            self._changed.notify_all()
        try:
            while len(boxes) < count:
                boxes.append(self._workshop.make(spec))
        except BaseException:
            self._count_down(count - len(boxes))
            for box in boxes:
                self.give_back(box)
            raise
        return boxes

    def give_back(self, box: Box) -> None:
        self._returned.put(box)

    def counts(self) -> dict[str, int]:
        with self._changed:
            return {"ready": len(self._ready), "lent": self._lent, "most": self._most}

    def _count_down(self, count: int = 1) -> None:
        with self._changed:
            self._lent -= count
            self._changed.notify_all()

    def _fill(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closing or len(self._ready) < self._target)
                if self._closing:
                    return
            try:
                box = self._workshop.make(self._default)
            except SandboxError:
                # The next borrower makes its own and gets the reason; this only keeps boxes ready.
                time.sleep(_RETRY_SECONDS)
                continue
            with self._changed:
                self._ready.append(box)

    def _dispose(self) -> None:
        while box := self._returned.get():
            with contextlib.suppress(SandboxError, OSError):
                box.close()
            self._count_down()

    def close(self) -> None:
        """Destroy every box at rest. A second call does nothing."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._returned.put(None)
        for thread in self._threads:
            thread.join()
        while self._ready:
            with contextlib.suppress(SandboxError, OSError):
                self._ready.pop().close()
