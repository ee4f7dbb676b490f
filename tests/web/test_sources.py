"""What the site's sources promise: types of the present API, every text in every language."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from deepoj_bff.outbound.grpc.services import SERVICES
from deepoj_bff.queries.views.now import Trouble
from deepoj_domain.account.api_token import ApiTokenRefusal
from deepoj_domain.account.audit import AuditEvent
from deepoj_domain.account.invitation import InvitationRefusal
from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.game.scoring.tries import Effect
from deepoj_domain.submission.states import Cause
from deepoj_record.commands.rejudge_ports import RejudgeRefusal

KEY = re.compile(r'^  "([^"]+)":', re.MULTILINE)
PLACEHOLDER = re.compile(r"\{(\w+)\}")
# By the number of those ahead, or by the verdict: these do not wait any more.
TOLD_OTHERWISE = {Cause.WAITING_BEHIND, Cause.FINISHED, Cause.DEAD, Cause.CANCELLED}
REFUSALS = (*GameRefusal, *InvitationRefusal, *ApiTokenRefusal, *RejudgeRefusal)
TOLD_BY_THEIR_KIND = {
    "not_found", "not_allowed", "deleted", "invitation_id_taken", "api_token_id_taken", "rejudge_id_reused",
}  # fmt: skip
MESSAGE = re.compile(r'^  "([^"]+)": (.*),$', re.MULTILINE)
# What somebody rules, by the name of its command or of the work that it is.
RULING = re.compile(r'(?:\baction=|kind: ClassVar\[str\] = |\baction, details = |ignored else )"(\w+)"')


@pytest.fixture(scope="session")
def generator(web: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_client", web / "generate_client.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_types_of_the_client_are_those_of_the_api(web: Path, generator: ModuleType) -> None:
    made = generator.client(generator.described())
    assert (web / "src/api/schema.d.ts").read_text() == made, "run web/generate_client.py"


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, "string"),
        ({"enum": ["a", "b"]}, '"a" | "b"'),
        ({"anyOf": [{"$ref": "#/components/schemas/Level"}, {"type": "null"}]}, "Level | null"),
        ({"type": "array", "items": {"type": ["integer", "null"]}}, "(number | null)[]"),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "Record<string, number>"),
        ({"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}, "{ a: boolean; }"),
        ({}, "unknown"),
    ],
)
def test_a_schema_becomes_the_type_of_its_values(
    generator: ModuleType, schema: dict[str, object], expected: str
) -> None:
    assert generator.type_of(schema) == expected


def test_every_text_exists_once_in_every_language_with_the_same_blanks(web: Path) -> None:
    texts = {name: (web / f"src/i18n/{name}.ts").read_text() for name in ("en", "zh")}
    keys = {name: KEY.findall(text) for name, text in texts.items()}
    assert keys["en"] == keys["zh"]
    assert len(set(keys["en"])) == len(keys["en"])
    blanks = {
        name: {key: set(PLACEHOLDER.findall(message)) for key, message in MESSAGE.findall(text)}
        for name, text in texts.items()
    }
    assert blanks["en"] == blanks["zh"]


def test_fonts_are_the_systems_in_two_weights(web: Path) -> None:
    styles = "\n".join(path.read_text() for path in (web / "src/styles").glob("*.css"))
    assert set(re.findall(r"font-weight: ([^;]+);", styles)) == {"400", "600", "inherit"}
    assert len(re.findall(r"font: [^;]*px|@font-face|font-family: (?!var|inherit)", styles)) == 0


def test_every_text_is_used(web: Path) -> None:
    sources = [path for path in (web / "src").rglob("*.ts*") if path.parent.name != "i18n"]
    text = "\n".join(path.read_text() for path in sources)
    # Keys made of data: `verdict.${code}`.
    made = set(re.findall(r"`([a-z_]+\.[a-z_]*)\$\{", text))
    keys = KEY.findall((web / "src/i18n/en.ts").read_text())
    unused = [
        key for key in keys if f'"{key}"' not in text and not any(key.startswith(each) for each in made)
    ]
    assert not unused


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("trouble.{}", list(Trouble)),
        ("remedy.{}", list(Trouble)),
        ("reason.{}_unavailable", list(SERVICES)),
        ("waiting.{}", [each for each in Cause if each not in TOLD_OTHERWISE]),
        ("event.{}", list(AuditEvent)),
        ("effect.{}", list(Effect)),
        ("reason.{}", [each for each in REFUSALS if each not in TOLD_BY_THEIR_KIND]),
    ],
)
def test_what_the_api_names_has_a_text(web: Path, kind: str, names: list[str]) -> None:
    texts = KEY.findall((web / "src/i18n/en.ts").read_text())
    assert not [name for name in names if kind.format(name) not in texts]


def test_every_ruling_in_the_audit_of_a_contest_has_a_text(web: Path) -> None:
    texts = KEY.findall((web / "src/i18n/en.ts").read_text())
    sources = [*web.parent.glob("apps/game/src/*/commands/*.py"), *web.parent.glob("domain/src/*/game/*.py")]
    rulings = {name for path in sources for name in RULING.findall(path.read_text())}
    assert {"edit", "enrol", "extend", "count_again"} <= rulings
    assert not [name for name in rulings if f"ruling.{name}" not in texts]
