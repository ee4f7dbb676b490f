"""What operators look at exists: dashboards, alerts and the table of metrics use names that are exported."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from deepoj.stack.environ import own_ops_address
from deepoj.stack.services import SERVICES

# One process asks all modules for their instruments.
pytestmark = pytest.mark.xdist_group("metrics")

ROOT = Path(__file__).parents[2]
OPS = ROOT / "ops"
Metrics = Mapping[str, frozenset[str]]

# Every module is imported, and what instruments there are then is asked of the collector of garbage.
INSTRUMENTS = """
import gc, importlib, json, pkgutil, sys
from deepoj_kit.telemetry import Counter, Gauge, Histogram

for name in sys.argv[1:]:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, name + "."):
        if not module.name.endswith(("__main__", ".env")) and ".versions." not in module.name:
            importlib.import_module(module.name)
made = [each for each in gc.get_objects() if isinstance(each, Counter | Gauge | Histogram)]
print(json.dumps([[type(each).__name__, each._labels.metric, each._labels.names] for each in made]))
"""
# What Prometheus itself adds: to every series, and one series of its own.
SCRAPED = {"job", "instance"}
UP: Metrics = {"up": frozenset()}
WORDS = {
    "by",
    "without",
    "on",
    "ignoring",
    "and",
    "or",
    "unless",
    "bool",
    "offset",
    "group_left",
    "group_right",
}

# What an operator has to be able to see, and the panel that shows it.
WANTED = {
    "queue depth": "Queue depth",
    "enqueued/s, started/s": "Enqueued and started per second",
    "p95 wait": "Wait, p95",
    "p95 runtime": "Runtime, p95",
    "success rate": "Success",
    "failure rate by class": "Failed attempts by class",
    "stalled count": "Running and stalled",
    "DLQ size": "Dead letters",
    "judge cache": "Judge cache, share of hits",
    "cache hit/miss": "Caches of the front door",
    "outbox pending": "Outbox pending",
    "finalize rejections and errors": "Finalize: refused and failed",
    "admission refusals": "Admission refusals",
    "workers alive": "Workers alive",
    "drifting hosts": "CPU time of canaries over their baselines",
    "degraded isolation": "Layers of isolation that are missing",
    "certificates": "Days until certificates end",
}


@pytest.fixture(scope="session")
def instruments(packages: dict[str, Path]) -> list[tuple[str, str, list[str]]]:
    script = [sys.executable, "-c", INSTRUMENTS, *packages]
    said = subprocess.run(script, capture_output=True, text=True, check=True).stdout
    return [(kind, name, labels) for kind, name, labels in json.loads(said)]


@pytest.fixture(scope="session")
def documented(instruments: list[tuple[str, str, list[str]]]) -> Metrics:
    """Return the metrics as people call them, with their labels."""
    return {
        f"{name}_total" if kind == "Counter" else name: frozenset(labels)
        for kind, name, labels in instruments
    }


@pytest.fixture(scope="session")
def exported(instruments: list[tuple[str, str, list[str]]]) -> Metrics:
    """Return the series that may be asked for, with their labels."""
    found: dict[str, frozenset[str]] = dict(UP)
    for kind, name, labels in instruments:
        match kind:
            case "Counter":
                found[f"{name}_total"] = frozenset(labels)
            case "Gauge":
                found[name] = frozenset(labels)
            case _:
                found |= {f"{name}_bucket": frozenset([*labels, "le"])}
                found |= {f"{name}_{part}": frozenset(labels) for part in ("sum", "count")}
    return found


def test_every_expression_of_an_alert_uses_what_is_exported(exported: Metrics) -> None:
    for rule in alerts():
        assert strangers(rule["expr"], exported) == set(), rule["alert"]


def test_every_expression_of_a_dashboard_uses_what_is_exported(exported: Metrics) -> None:
    for panel, expression in expressions():
        assert strangers(expression, exported) == set(), panel


@pytest.mark.parametrize(
    ("expression", "stranger"),
    [
        ("sum(rate(record_renamed_total[5m])) > 1", "record_renamed_total"),
        ('up{job="x"} == 0 or record_queue_deep', "record_queue_deep"),
        ('record_queue_depth{bond="contest"}', "bond"),
        ("max by (lane, user) (record_queue_depth)", "user"),
        ("histogram_quantile(0.95, sum by (le) (rate(record_wait_seconds[5m])))", "record_wait_seconds"),
    ],
)
def test_a_name_that_is_not_exported_is_seen(exported: Metrics, expression: str, stranger: str) -> None:
    assert strangers(expression, exported) == {stranger}


def test_the_table_of_metrics_lists_all_with_their_labels(documented: Metrics) -> None:
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|(.*?)\| .* \|$", section("Metrics"), re.MULTILINE)
    table = {name: frozenset(quoted(labels)) for names, labels in rows for name in quoted(names)}
    assert table == documented


def test_every_alert_says_how_bad_it_is_and_what_to_do() -> None:
    rules = alerts()
    assert len({rule["alert"] for rule in rules}) == len(rules)
    for rule in rules:
        assert rule["labels"]["severity"] in {"warning", "critical"}
        assert rule["annotations"].keys() == {"summary", "action"}


def test_a_backlog_of_more_than_1000_raises_an_alarm() -> None:
    [rule] = [rule for rule in alerts() if rule["alert"] == "DeepojQueueBacklog"]
    assert re.fullmatch(r"sum\(.*record_queue_depth.*\) > 1000", rule["expr"])


def test_the_dashboards_show_every_number_the_requirements_name() -> None:
    assert {panel for panel, _ in expressions()} >= set(WANTED.values())


def test_panels_have_numbers_and_places_of_their_own() -> None:
    assert len({dashboard["uid"] for dashboard in dashboards()}) == len(dashboards())
    for panels in (dashboard["panels"] for dashboard in dashboards()):
        assert len({panel["id"] for panel in panels}) == len(panels)
        places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels]
        assert len(set(places)) == len(places)


def test_the_example_scrapes_every_process_of_the_stack_where_it_listens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for line in (OPS / "prometheus" / "stack.env").read_text().splitlines():
        name, _, value = line.partition("=")
        monkeypatch.setenv(name, value)
    config = yaml.safe_load((OPS / "prometheus" / "prometheus.yaml").read_text())
    scraped = {each["job_name"]: each["static_configs"][0]["targets"] for each in config["scrape_configs"]}
    assert scraped == {service.name: [own_ops_address(service)] for service in SERVICES}
    assert [(OPS / "prometheus" / name).exists() for name in config["rule_files"]] == [True]


def strangers(expression: str, exported: Metrics) -> set[str]:
    """Return the metrics an expression uses that nobody exports, and labels that none of its metrics has."""
    bare = re.sub(r'"[^"]*"', '""', expression)
    grouped = [
        label
        for labels in re.findall(r"\b(?:by|without|on|ignoring)\s*\(([^)]*)\)", bare)
        for label in re.findall(r"\w+", labels)
    ]
    selected = re.findall(r"([a-z_]\w*)\s*(?:=~|!~|!=|=)\s*\"", bare)
    bare = re.sub(r"\b(?:by|without|on|ignoring)\s*\([^)]*\)|\{[^}]*\}|\[[^]]*\]", " ", bare)
    words = re.findall(r"(?<![\w.$])([a-zA-Z_]\w*)\b(?!\s*\()", bare)
    names = {word for word in words if word not in WORDS}
    labels = SCRAPED.union(*(exported.get(name, frozenset()) for name in names))
    return (names - exported.keys()) or ({*grouped, *selected} - labels)


def alerts() -> list[dict[str, Any]]:
    groups = yaml.safe_load((OPS / "prometheus" / "alerts.yaml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def dashboards() -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted((OPS / "grafana").iterdir())]


def expressions() -> Iterator[tuple[str, str]]:
    for dashboard in dashboards():
        for panel in dashboard["panels"]:
            for target in panel.get("targets", ()):
                yield panel["title"], target["expr"]


def section(title: str) -> str:
    text = (ROOT / "docs" / "operations.md").read_text()
    return text.partition(f"\n### {title}\n")[2].partition("\n## ")[0]


def quoted(text: str) -> list[str]:
    return re.findall(r"`(\w+)`", text)
