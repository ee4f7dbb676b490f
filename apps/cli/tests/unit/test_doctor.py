"""What `deepoj doctor` says of the Python it runs on."""

from __future__ import annotations

import os

import pytest

from deepoj.doctor.machine import python_finding


def test_a_python_that_was_built_on_an_older_system_is_told_to_make_no_boxes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert python_finding().status == "ok"
    monkeypatch.delattr(os, "memfd_create")
    found = python_finding()
    assert found.status == "missing"
    assert found.found.endswith(" without memfd_create")
    assert "of the distribution" in found.remedy
