"""The contract holds every call the design names, in one shape."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

import pytest
from google.protobuf.descriptor import EnumDescriptor, FileDescriptor, MethodDescriptor

from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.game.v1 import game_pb2
from deepoj_proto.judgement.v1 import judgement_pb2
from deepoj_proto.question.v1 import question_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.user.v1 import user_pb2

PROTO = Path(__file__).parents[1]
SERVICES = (record_pb2, judgement_pb2, question_pb2, game_pb2, user_pb2)
FILES: tuple[FileDescriptor, ...] = tuple(
    module.DESCRIPTOR for module in (*SERVICES, common_pb2, judging_pb2)
)
METHODS: tuple[MethodDescriptor, ...] = tuple(
    method
    for file in FILES
    for service in file.services_by_name.values()
    for method in service.methods_by_name.values()
)
ENUMS: tuple[EnumDescriptor, ...] = tuple(enum for file in FILES for enum in file.enum_types_by_name.values())

DESIGNED = {
    "record.RecordService": "Submit Get List Cancel StartRejudge PreviewRejudge ApplyRejudge DiscardRejudge "
    "Explain ListDeadLetters ReplayDeadLetter QueueStats BestRecord CountPassed "
    "CountByQuestion CountByDay",
    "record.WorkerService": "Claim Reclaim Heartbeat Finalize ReportFailure",
    "judgement.JudgementService": "Verify Run Replay ListWorkers ListLanguages",
    "question.QuestionService": "Create Update Get List Delete ImportPackage GetJudgeSpec",
    "game.GameService": "Create Update Get List Delete SignUp CancelSignUp GetScoreboard GetScore "
    "RecomputeScores",
    "user.UserService": "Register Login Refresh Get List UpdateInfo ChangePassword SetRole SetStatus Delete "
    "SendRegisterCaptcha SendChangePasswordCaptcha CreateApiToken ListApiTokens RevokeApiToken",
}


@pytest.mark.parametrize("service", DESIGNED)
def test_a_service_has_every_call_the_design_names(service: str) -> None:
    package, name = service.split(".")
    file = next(
        file for file in FILES if file.package == f"deepoj.{package}.v1" and name in file.services_by_name
    )
    assert set(DESIGNED[service].split()) <= set(file.services_by_name[name].methods_by_name)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_lives_in_the_package_its_path_names(file: FileDescriptor) -> None:
    _, service, version, _ = file.name.split("/")
    assert file.package == f"deepoj.{service}.{version}"


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.full_name)
def test_a_call_has_messages_of_its_own(method: MethodDescriptor) -> None:
    assert method.input_type.name == f"{method.name}Request"
    assert method.output_type.name == f"{method.name}Response"


@pytest.mark.parametrize("enum", ENUMS, ids=lambda enum: enum.full_name)
def test_an_enum_begins_with_unspecified_so_that_an_absent_value_is_not_a_choice(
    enum: EnumDescriptor,
) -> None:
    assert enum.values_by_number[0].name.endswith("_UNSPECIFIED")


def test_no_service_uses_messages_of_another() -> None:
    foreign = [
        (file.name, dependency.name)
        for file in FILES
        for dependency in file.dependencies
        if dependency.package not in {"google.protobuf", "deepoj.common.v1"}
    ]
    assert foreign == []


def test_the_generated_code_matches_its_sources() -> None:
    assert generator().stale_files(PROTO / "deepoj", PROTO / "src") == []


def test_a_changed_source_is_noticed(tmp_path: Path) -> None:
    shutil.copytree(PROTO / "deepoj", tmp_path / "deepoj")
    changed = tmp_path / "deepoj/user/v1/user.proto"
    changed.write_text(changed.read_text() + "\nmessage Planted {}\n")
    stale = generator().stale_files(tmp_path / "deepoj", PROTO / "src")
    assert stale == ["deepoj_proto/user/v1/user_pb2.py", "deepoj_proto/user/v1/user_pb2.pyi"]


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", PROTO / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
