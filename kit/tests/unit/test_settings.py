from __future__ import annotations

import json
import logging
import pickle
from datetime import timedelta
from enum import Enum
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pytest

from deepoj_kit.settings import ByteSize, ProcessSettings, Secret, SettingsError, describe, load, redact_url


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    name: str = "default"
    count: Annotated[int, msgspec.Meta(ge=1, le=9, description="how many")] = 3
    ratio: float = 0.5
    on: bool = False
    place: Path = Path("/nowhere")
    wait: timedelta = timedelta(seconds=1)
    size: ByteSize = ByteSize(1024)
    colour: Colour = Colour.RED
    mode: Literal["fast", "slow"] = "fast"
    tags: tuple[str, ...] = ()
    maybe: int | None = None
    short: Annotated[str | None, msgspec.Meta(pattern="^[a-z]{1,3}$", description="a word")] = None
    password: Secret | None = None
    store_url: str = ""


class Required(msgspec.Struct, frozen=True, kw_only=True):
    one: str
    two: Annotated[timedelta, msgspec.Meta(description="time to wait")]
    three: Secret


def sample(**variables: str) -> Sample:
    return load(
        Sample, scope="app", environ={f"DEEPOJ_{name.upper()}": value for name, value in variables.items()}
    )


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "deepoj.toml"


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("name", "x", "x"),
        ("count", "7", 7),
        ("short", "abc", "abc"),
        ("ratio", "0.25", 0.25),
        ("on", "true", True),
        ("on", "0", False),
        ("place", "/tmp/x", Path("/tmp/x")),  # noqa: S108 — never opened
        ("wait", "30s", timedelta(seconds=30)),
        ("wait", "5m", timedelta(minutes=5)),
        ("wait", "250ms", timedelta(milliseconds=250)),
        ("size", "64KiB", 65536),
        ("size", "10MB", 10_000_000),
        ("size", "512", 512),
        ("colour", "blue", Colour.BLUE),
        ("mode", "slow", "slow"),
        ("tags", "a, b,,c", ("a", "b", "c")),
        ("maybe", "5", 5),
        ("password", "p", Secret("p")),
    ],
)
def test_each_type_is_read_from_a_variable(field: str, text: str, value: object) -> None:
    assert getattr(sample(**{field: text}), field) == value


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("count", "many"),
        ("count", "10"),
        ("ratio", "half"),
        ("on", "maybe"),
        ("wait", "30"),
        ("wait", "1y"),
        ("size", "64XB"),
        ("size", "-1"),
        ("colour", "green"),
        ("mode", "medium"),
        ("maybe", "none"),
        ("short", "abcd"),
    ],
)
def test_a_wrong_value_is_named_with_what_is_expected(field: str, text: str) -> None:
    with pytest.raises(SettingsError) as caught:
        sample(**{field: text})
    (problem,) = caught.value.problems
    assert problem.name == f"DEEPOJ_{field.upper()}"
    assert text in problem.wrong
    assert problem.expected


def test_scope_wins_over_shared_over_file_over_default(config: Path) -> None:
    config.write_text('name = "file"\n[app]\nname = "file scope"\n')
    environ = {"DEEPOJ_APP_NAME": "scope", "DEEPOJ_NAME": "shared", "DEEPOJ_CONFIG": str(config)}
    seen = []
    for variable in ("DEEPOJ_APP_NAME", "DEEPOJ_NAME"):
        seen.append(load(Sample, scope="app", environ=environ).name)
        del environ[variable]
    seen.append(load(Sample, scope="app", environ=environ).name)
    seen.append(load(Sample, scope="other", environ=environ).name)
    seen.append(load(Sample, scope="other", environ={}).name)
    assert seen == ["scope", "shared", "file scope", "file", "default"]


def test_the_file_may_use_types_of_its_own(config: Path) -> None:
    config.write_text('count = 4\nratio = 1\non = true\nsize = 2048\ntags = ["a", "b"]\nwait = "2m"\n')
    loaded = load(Sample, scope="app", environ={"DEEPOJ_CONFIG": str(config)})
    assert (loaded.count, loaded.ratio, loaded.on, loaded.size) == (4, 1.0, True, 2048)
    assert (loaded.tags, loaded.wait) == (("a", "b"), timedelta(minutes=2))


def test_an_empty_variable_is_not_set() -> None:
    assert sample(count="").count == 3


def test_all_problems_are_reported_together() -> None:
    with pytest.raises(SettingsError) as caught:
        load(Required, scope="app", environ={"DEEPOJ_TWO": "soon"})
    assert [problem.name for problem in caught.value.problems] == [
        "DEEPOJ_APP_ONE",
        "DEEPOJ_TWO",
        "DEEPOJ_APP_THREE",
    ]
    assert "time to wait" in str(caught.value)


def test_an_unknown_key_of_the_own_table_is_an_error_with_a_hint(config: Path) -> None:
    config.write_text("[app]\ncuont = 4\n")
    with pytest.raises(SettingsError, match=r"\[app\] cuont .*did you mean count\?"):
        load(Sample, scope="app", environ={"DEEPOJ_CONFIG": str(config)})


def test_a_near_miss_at_the_top_of_the_file_is_an_error(config: Path) -> None:
    config.write_text('store_ulr = "x"\n')
    with pytest.raises(SettingsError, match=r"did you mean store_url\?"):
        load(Sample, scope="app", environ={"DEEPOJ_CONFIG": str(config)})


def test_what_belongs_to_other_processes_is_left_alone(config: Path) -> None:
    config.write_text('elsewhere_address = "x"\n[other]\nthing = 1\n')
    load(Sample, scope="app", environ={"DEEPOJ_CONFIG": str(config), "DEEPOJ_OTHER_THING": "1"})


@pytest.mark.parametrize("text", [None, "not = = toml", "name = \xff"])
def test_a_file_that_cannot_be_read_is_a_problem_not_a_traceback(config: Path, text: str | None) -> None:
    if text is not None:
        config.write_bytes(text.encode("latin-1"))
    with pytest.raises(SettingsError, match="DEEPOJ_CONFIG names"):
        load(Sample, scope="app", environ={"DEEPOJ_CONFIG": str(config)})


def test_describe_says_value_source_and_purpose(config: Path) -> None:
    config.write_text("ratio = 0.75\n")
    environ = {
        "DEEPOJ_APP_COUNT": "4",
        "DEEPOJ_PASSWORD": "hunter2",
        "DEEPOJ_WAIT": "soon",
        "DEEPOJ_STORE_URL": "postgresql://me:hunter2@host/db",
        "DEEPOJ_CONFIG": str(config),
    }
    rows = {row.name: row for row in describe(Sample, scope="app", environ=environ)}
    assert (rows["count"].value, rows["count"].source, rows["count"].help) == (
        "4",
        "DEEPOJ_APP_COUNT",
        "how many",
    )
    assert (rows["password"].value, rows["password"].source) == ("***", "DEEPOJ_PASSWORD")
    assert (rows["ratio"].value, rows["ratio"].source) == ("0.75", str(config))
    assert (rows["name"].value, rows["name"].source) == ("default", "default")
    assert "duration" in rows["wait"].problem
    assert "hunter2" not in repr(rows)


def test_describe_shows_what_is_missing() -> None:
    assert [row.source for row in describe(Required, scope="app", environ={})] == ["missing"] * 3


def test_a_wrong_secret_is_not_shown_in_the_error(config: Path) -> None:
    config.write_text("password = 12345\n")
    with pytest.raises(SettingsError) as caught:
        load(Sample, scope="app", environ={"DEEPOJ_CONFIG": str(config)})
    assert "12345" not in str(caught.value)


def test_a_secret_never_shows_itself(caplog: pytest.LogCaptureFixture) -> None:
    secret = Secret("hunter2")
    logging.getLogger("test").warning("it is %s or %r", secret, secret)
    holder = Sample(password=secret)
    shown = [
        str(secret),
        repr(secret),
        f"{secret:>20}",
        f"{holder}",
        caplog.text,
        repr(msgspec.structs.asdict(holder)),
    ]
    assert not [text for text in shown if "hunter2" in text]
    assert secret.reveal() == "hunter2"


def test_no_encoder_takes_a_secret() -> None:
    secret = Secret("hunter2")
    for encode in (json.dumps, msgspec.json.encode, msgspec.msgpack.encode, pickle.dumps):
        with pytest.raises(TypeError):
            encode(secret)


def test_redact_url_hides_only_the_password() -> None:
    assert redact_url("at redis://:pw@host:1/0 now") == "at redis://:***@host:1/0 now"
    assert redact_url("http://host:80/a@b") == "http://host:80/a@b"


def test_every_process_has_the_shared_settings() -> None:
    environ = {"DEEPOJ_APP_LISTEN": "unix:/run/app.sock", "DEEPOJ_SERVICE_TOKEN": "t"}
    loaded = load(ProcessSettings, scope="app", environ=environ)
    assert (loaded.env, loaded.listen, loaded.log_level) == ("dev", "unix:/run/app.sock", "info")
    assert loaded.shutdown_grace == timedelta(seconds=10)
    with pytest.raises(SettingsError, match="unix:/path or host:port"):
        load(ProcessSettings, scope="app", environ=environ | {"DEEPOJ_APP_LISTEN": "nowhere"})
