"""The life of a process: start in order, be ready, drain on a signal, stop in reverse order."""

from deepoj_kit.lifecycle.command import OneShot, main
from deepoj_kit.lifecycle.process import Process
from deepoj_kit.lifecycle.readiness import Check, Readiness, State
from deepoj_kit.lifecycle.run_process import EXIT_BAD_SETTINGS, EXIT_CLEAN, EXIT_FAILURE, run
from deepoj_kit.lifecycle.start_error import StartError

__all__ = [
    "EXIT_BAD_SETTINGS",
    "EXIT_CLEAN",
    "EXIT_FAILURE",
    "Check",
    "OneShot",
    "Process",
    "Readiness",
    "StartError",
    "State",
    "main",
    "run",
]
