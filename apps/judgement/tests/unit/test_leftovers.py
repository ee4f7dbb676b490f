from __future__ import annotations

import os
from pathlib import Path

from deepoj_judgement.outbound.sandbox.agent_process import remove_dead


def test_inv_10_only_what_the_dead_left_is_removed_and_twice_is_no_error(tmp_path: Path) -> None:
    for name in (str(os.getpid()), "4194305", "data"):
        (tmp_path / name / "job-1").mkdir(parents=True)
    for _ in range(2):
        remove_dead(tmp_path)
        assert {path.name for path in tmp_path.iterdir()} == {str(os.getpid()), "data"}
