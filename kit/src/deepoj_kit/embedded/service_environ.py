"""What services that we start run faster with."""

from __future__ import annotations

import os
from typing import Final

_EXPERIMENTS: Final = "GRPC_EXPERIMENTS"


def service_tuning() -> dict[str, str]:
    """Let gRPC poll its sockets in the thread that waits for them, not in an engine with threads of its own.

    It is read when gRPC is imported, so it comes from whoever starts the process. What is set already stays.
    """
    return {_EXPERIMENTS: os.environ.get(_EXPERIMENTS, "-event_engine_client,-event_engine_listener")}
