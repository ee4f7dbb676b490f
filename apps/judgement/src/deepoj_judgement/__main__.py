"""`python -m deepoj_judgement serve | config`, and the one-shot roles of setters.

Each is loaded only when it is asked for: a setter does not wait for the drivers of servers.
"""

from __future__ import annotations

import gc
import importlib
import sys

from deepoj_judgement.inbound.setter.arguments import ROLES

if __name__ == "__main__":
    kind = "setter_program" if sys.argv[1:] and sys.argv[1] in ROLES else "worker_process"
    # What is imported stays: looking for garbage in it would take a fifth of the time.
    gc.disable()
    process = importlib.import_module(f"deepoj_judgement.container.{kind}")
    gc.freeze()
    gc.enable()
    sys.exit(process.main(sys.argv[1:]))
