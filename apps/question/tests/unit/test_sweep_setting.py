"""How long unnamed files are kept."""

from __future__ import annotations

from datetime import timedelta

import pytest

from deepoj_question.inbound.sweep import too_soon


@pytest.mark.parametrize("keep", [timedelta(0), timedelta(days=1), timedelta(days=7)])
def test_for_ever_or_a_day_at_least(keep: timedelta) -> None:
    assert too_soon(keep) is None


@pytest.mark.parametrize("keep", [timedelta(seconds=1), timedelta(hours=23)])
def test_not_for_so_short_that_an_import_loses_its_files(keep: timedelta) -> None:
    assert "a day or more" in (too_soon(keep) or "")
