"""Units, compose file, chart and images agree on each role, and name no setting that does not exist."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
import yaml

from deepoj.stack.services import SERVICES, Store
from deepoj_bff.settings import BffSettings
from deepoj_game.settings import GameSettings
from deepoj_judgement.settings import JudgementSettings
from deepoj_kit.settings import ProcessSettings, load
from deepoj_languages.table import language_table
from deepoj_question.settings import QuestionSettings
from deepoj_record.settings import RecordSettings
from deepoj_user.settings import UserSettings

OPS: Final = Path(__file__).parents[2] / "ops"
CHART: Final = OPS / "helm" / "deepoj"
SETTINGS: Final[Mapping[str, type[ProcessSettings]]] = {
    "record": RecordSettings, "question": QuestionSettings, "game": GameSettings, "user": UserSettings,
    "bff": BffSettings, "judgement": JudgementSettings,
}  # fmt: skip
SCOPE: Final = {name: name for name in SETTINGS} | {"relay": "record", "judge": "judgement"}
SCOPE.pop("judgement")
FIELDS: Final = {
    scope: {each.name for each in msgspec.structs.fields(kind)} for scope, kind in SETTINGS.items()
}
KNOWN: Final = (
    {f"DEEPOJ_{name.upper()}" for names in FIELDS.values() for name in names}
    | {f"DEEPOJ_{scope}_{name}".upper() for scope, names in FIELDS.items() for name in names}
    | {"DEEPOJ_CONFIG"}
)
# What an operator writes where the examples are empty.
GIVEN: Final = "written-by-the-operator"


@dataclass(frozen=True)
class Deployment:
    environ: Mapping[str, Mapping[str, str]]
    """Of each role."""
    migrates: bool

    def settings(self, role: str) -> Any:  # noqa: ANN401 — of one service each
        return load(SETTINGS[SCOPE[role]], scope=SCOPE[role], environ=self.environ[role])


def systemd() -> Deployment:
    units = OPS / "systemd"

    def environ(unit: str, name: str) -> dict[str, str]:
        files = re.findall(r"^EnvironmentFile=/etc/deepoj/(.+)$", (units / unit).read_text(), re.MULTILINE)
        lines = [
            line
            for file in files
            for line in (units / "etc" / file.replace("%i", name)).read_text().splitlines()
            if line and not line.startswith("#")
        ]
        return {name: value or GIVEN for name, _, value in (line.partition("=") for line in lines)}

    units_of = {"relay": "deepoj-relay.service", "judge": "deepoj-judge.service"}
    environs = {role: environ(units_of.get(role, "deepoj@.service"), role) for role in SCOPE}
    return Deployment(environs, (units / "deepoj-migrate.service").exists())


def compose(secrets: Path) -> Deployment:
    subprocess.run([OPS / "compose" / "make-secrets", secrets], check=True, capture_output=True)
    services = yaml.safe_load((OPS / "compose" / "compose.yaml").read_text())["services"]

    def environ(role: str) -> dict[str, str]:
        told = {name: _default(str(value)) for name, value in services[role]["environment"].items()}
        file = told["DEEPOJ_CONFIG"].removeprefix("/run/secrets/")
        assert file in services[role]["secrets"]
        return told | {"DEEPOJ_CONFIG": str(secrets / file)}

    return Deployment({role: environ(role) for role in SCOPE}, "migrate" in services)


def _default(value: str) -> str:
    """Return what an interpolated value is when nothing is set."""
    return re.sub(r"\$\{[A-Z_]+:-([^}]*)\}", r"\1", value)


def chart() -> Deployment:
    table = yaml.safe_load((CHART / "roles.yaml").read_text())
    made_by_templates = {"DEEPOJ_S3_ENDPOINT": "http://s3:9000", "DEEPOJ_S3_BUCKET": "deepoj"}

    def environ(role: Any) -> dict[str, str]:  # noqa: ANN401 — of a file
        stores = {name for store in role["stores"] for name in table["stores"][store]}
        secrets = dict.fromkeys(stores | role["secrets"].keys(), GIVEN)
        objects = made_by_templates if "s3" in role["stores"] else {}
        return {**table["common"], **role["env"], **secrets, **objects}

    return Deployment({role: environ(table["roles"][role]) for role in SCOPE}, "migrate" in table["roles"])


@pytest.fixture(params=["systemd", "compose", "chart"])
def deployment(request: pytest.FixtureRequest, tmp_path: Path) -> Deployment:
    return compose(tmp_path / "secrets") if request.param == "compose" else globals()[request.param]()


def test_every_role_is_there_and_starts_with_what_it_is_told(deployment: Deployment) -> None:
    assert deployment.migrates
    for role in SCOPE:
        deployment.settings(role)


def test_no_variable_is_told_that_nobody_reads(deployment: Deployment) -> None:
    told = {name for environ in deployment.environ.values() for name in environ if name.startswith("DEEPOJ_")}
    assert told - KNOWN == set()


def test_callers_know_the_ports_on_which_services_listen(deployment: Deployment) -> None:
    settings = {role: deployment.settings(role) for role in SCOPE}
    listens = {SCOPE[role]: _port(each.listen) for role, each in settings.items() if role != "relay"}
    assert len(set(listens.values())) == len(listens)
    for each in settings.values():
        for name, port in listens.items():
            if address := getattr(each, f"{name}_address", ""):
                assert _port(address) == port, address
        assert _port(each.ops_listen)


def _port(address: str) -> int:
    return int(address.rpartition(":")[2])


def test_the_templates_of_the_chart_name_settings_that_exist() -> None:
    texts = [path.read_text() for path in [*CHART.glob("templates/*"), CHART / "values.yaml"]]
    named = set(re.findall(r"DEEPOJ_[A-Z0-9_]+", "\n".join(texts)))
    assert "DEEPOJ_BFF_PUBLIC_URL" in named
    assert named - KNOWN == set()


def test_the_chart_gives_each_role_the_stores_and_the_ways_that_it_needs() -> None:
    roles = yaml.safe_load((CHART / "roles.yaml").read_text())["roles"]
    name_of = {
        each.name: each.name.replace("judgement", "judge").removeprefix("record-") for each in SERVICES
    }
    for each in SERVICES:
        role = roles[name_of[each.name]]
        assert {Store[store.upper()] for store in role["stores"]} == each.stores
        assert each.role != "relay" or "calls" not in role
        if each.role != "relay":
            assert set(role.get("calls", ())) == {name_of[called] for called in each.calls}
            listens = role["env"][f"DEEPOJ_{each.app.upper()}_LISTEN"]
            assert role["port"] == _port(listens)
    assert {*name_of.values(), "migrate"} == roles.keys()


def test_values_know_each_role_and_the_secret_each_key() -> None:
    table = yaml.safe_load((CHART / "roles.yaml").read_text())
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    schema = msgspec.json.decode((CHART / "values.schema.json").read_bytes())["properties"]
    assert values["roles"].keys() == table["roles"].keys() == schema["roles"]["properties"].keys()
    assert values.keys() | {"global"} == schema.keys()
    keys = {key for role in table["roles"].values() for key in role["secrets"].values()}
    keys |= {key for store in table["stores"].values() for key in store.values()}
    assert schema["secret"]["properties"]["values"]["properties"].keys() == keys
    readme = (CHART / "README.md").read_text()
    assert all(f"`{key}`" in readme or key.endswith("-postgres-url") for key in keys)


def test_the_judge_image_pins_the_packages_of_every_language() -> None:
    lines = (OPS / "images" / "toolchains.txt").read_text().splitlines()
    pinned = dict(line.split("=", 1) for line in lines if not line.startswith("#"))
    assert pinned.keys() == {name for language in language_table() for name in language.package.split()}
    assert all(pinned.values())


def test_the_images_copy_every_member(packages: dict[str, Path]) -> None:
    """What the build may see is said in .containerignore; a member that is not there breaks the build."""
    seen = {
        line[1:]
        for line in (OPS.parent / ".containerignore").read_text().splitlines()
        if line.startswith("!")
    }
    workspace = tomllib.loads((OPS.parent / "pyproject.toml").read_text())["tool"]["uv"]["workspace"][
        "members"
    ]
    assert {member.removesuffix("/*") for member in workspace} <= seen
    assert packages


def test_secrets_made_once_stay(tmp_path: Path) -> None:
    place = tmp_path / "secrets"
    make = [OPS / "compose" / "make-secrets", place]
    subprocess.run(make, check=True, capture_output=True)
    first = {path.name: path.read_bytes() for path in place.iterdir()}
    assert b"stay" in subprocess.run(make, check=True, capture_output=True).stderr
    assert {path.name: path.read_bytes() for path in place.iterdir()} == first
    assert place.stat().st_mode & 0o077 == 0
    named = yaml.safe_load((OPS / "compose" / "compose.yaml").read_text())["secrets"]
    assert {secret["file"].removeprefix("secrets/") for secret in named.values()} == first.keys()
