"""The switch that services are started with has to be one that gRPC knows."""

from __future__ import annotations

import subprocess
import sys

import pytest

from deepoj_kit.embedded.service_environ import service_tuning

PROGRAM = "import grpc; grpc.insecure_channel('unix:/nobody').close()"


def said(experiments: str) -> str:
    environ = {"GRPC_EXPERIMENTS": experiments}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environ, capture_output=True, check=True)
    return done.stderr.decode()


def test_grpc_knows_what_services_are_started_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRPC_EXPERIMENTS", raising=False)
    assert said(service_tuning()["GRPC_EXPERIMENTS"]) == ""
    assert "no_such_thing" in said("-no_such_thing")


def test_what_an_operator_has_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRPC_EXPERIMENTS", "-event_engine_client")
    assert service_tuning() == {"GRPC_EXPERIMENTS": "-event_engine_client"}
