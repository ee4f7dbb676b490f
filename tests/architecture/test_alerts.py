"""Every alert fires when what it names happens, and keeps quiet otherwise, as promtool sees it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

PROMETHEUS: Final = Path(__file__).parents[2] / "ops" / "prometheus"
RULES: Final = PROMETHEUS / "alerts.yaml"
# A series that stays what it is, one that grows by so much each minute, and one that is away.
MINUTES: Final = 180
DAY: Final = 86_400
Series = dict[str, str]


def still(value: float) -> str:
    return f"{value}+0x{MINUTES}"


def grows(by: float) -> str:
    return f"0+{by}x{MINUTES}"


def waits(seconds: float) -> Series:
    """Return a histogram of waits of which all took so long; it has buckets of 10 s and 60 s."""
    quick = grows(60) if seconds < 10 else still(0)
    return {
        'record_wait_seconds_bucket{le="10", band="normal"}': quick,
        'record_wait_seconds_bucket{le="60", band="normal"}': grows(60),
        'record_wait_seconds_bucket{le="+Inf", band="normal"}': grows(60),
    }


# By alert: what makes it fire, and what must not.
SCENES: Final[dict[str, tuple[Series, Series]]] = {
    "DeepojQueueBacklog": (
        {'record_queue_depth{lane="light", band="normal"}': still(1001)},
        {'record_queue_depth{lane="light", band="normal"}': still(1000)},
    ),
    "DeepojContestWaits": (
        {'record_queue_oldest_seconds{lane="light", band="contest"}': still(61)},
        {'record_queue_oldest_seconds{lane="light", band="bulk"}': still(7200)},
    ),
    "DeepojSlowStart": (waits(59), waits(1)),
    "DeepojStalled": ({"record_stalled": still(1)}, {"record_stalled": still(0)}),
    "DeepojDeadLetters": (
        {'record_dead_total{cause="attempts_exhausted"}': grows(1)},
        {'record_dead_total{cause="attempts_exhausted"}': still(7)},
    ),
    "DeepojFailedAttempts": (
        {
            'record_failed_attempt_total{failure="sandbox_crash"}': grows(6),
            'record_claim_total{status="ok"}': grows(100),
        },
        {
            'record_failed_attempt_total{failure="worker_draining"}': grows(90),
            'record_failed_attempt_total{failure="sandbox_crash"}': grows(4),
            'record_claim_total{status="ok"}': grows(100),
        },
    ),
    "DeepojOutboxPending": (
        {'outbox_pending{job="record"}': still(1001)},
        {'outbox_pending{job="record"}': still(1000)},
    ),
    "DeepojRedisLostMessages": (
        {'outbox_lost_total{stream="jobs"}': grows(1)},
        {'outbox_lost_total{stream="jobs"}': still(5), 'stream_groups_lost_total{stream="jobs"}': still(0)},
    ),
    "DeepojJobsSentAgain": (
        {'record_redispatch_total{status="ok"}': grows(1)},
        {'record_redispatch_total{status="refused"}': grows(1)},
    ),
    "DeepojFinalizeErrors": (
        {"worker_finalize_errors_total": grows(2)},
        {"worker_finalize_errors_total": grows(0.5)},
    ),
    "DeepojFinalizeRejected": (
        {
            'worker_finalize_rejected_total{reason="stale_attempt"}': grows(2),
            'worker_finalize_total{status="ok"}': grows(100),
        },
        {
            'worker_finalize_rejected_total{reason="stale_attempt"}': grows(0.9),
            'worker_finalize_total{status="ok"}': grows(100),
        },
    ),
    "DeepojMalformedSandboxAnswers": (
        {'judge_protocol_errors_total{reason="no_json"}': grows(1)},
        {'judge_protocol_errors_total{reason="no_json"}': still(1)},
    ),
    "DeepojSandboxFallback": (
        {'judge_sandbox_fallback_total{instance="a"}': grows(1)},
        {'judge_sandbox_fallback_total{instance="a"}': still(3)},
    ),
    "DeepojIsolationDegraded": (
        {'judge_isolation_degraded{instance="a"}': still(1)},
        {'judge_isolation_degraded{instance="a"}': still(0)},
    ),
    "DeepojHostHoldsBack": (
        {'judge_held_back{instance="a"}': still(1), 'judge_held_back{instance="b"}': still(0)},
        {'judge_held_back{instance="a"}': still(0)},
    ),
    "DeepojHostDrifts": (
        {'judge_canary_drift{instance="a", language="c11"}': still(1.4)},
        {'judge_canary_drift{instance="a", language="c11"}': still(1.2)},
    ),
    "DeepojCanarySilent": (
        {'judge_canary_timestamp_seconds{instance="a"}': still(0)},
        {'judge_canary_timestamp_seconds{instance="a"}': grows(60)},
    ),
    "DeepojFilesMissing": (
        {'question_missing_objects{instance="a"}': still(1)},
        {'question_missing_objects{instance="a"}': still(0)},
    ),
    "DeepojTurnedAway": (
        {'deepoj_admission_total{outcome="no_worker_alive"}': grows(1)},
        {'deepoj_admission_total{outcome="rate_limited"}': grows(100)},
    ),
    "DeepojNoWorker": ({"workers_alive": still(0)}, {"workers_alive": still(1)}),
    "DeepojNobodyMeasures": ({"workers_alive": still(1)}, {"record_queue_depth": still(0)}),
    "DeepojProcessDown": ({'up{job="game"}': still(0)}, {'up{job="somebody else"}': still(0)}),
    "DeepojServerErrors": (
        {
            'deepoj_http_requests_total{status="500"}': grows(2),
            'deepoj_http_requests_total{status="200"}': grows(98),
        },
        {
            'deepoj_http_requests_total{status="404"}': grows(50),
            'deepoj_http_requests_total{status="200"}': grows(50),
        },
    ),
    "DeepojLogsSuppressed": (
        {'log_suppressed_total{job="bff"}': grows(120)},
        {'log_suppressed_total{job="bff"}': grows(6)},
    ),
    "DeepojCertificateEnds": (
        {'tls_certificate_expiry_timestamp_seconds{job="bff", file="tls_certificate"}': still(13 * DAY)},
        {'tls_certificate_expiry_timestamp_seconds{job="bff", file="tls_certificate"}': still(15 * DAY)},
    ),
}


def names() -> list[str]:
    groups = yaml.safe_load(RULES.read_text())["groups"]
    return [rule["alert"] for group in groups for rule in group["rules"]]


def scene(alert: str, series: Series, *, fires: bool) -> dict[str, Any]:
    counted = f'count(ALERTS{{alertname="{alert}", alertstate="firing"}})'
    return {
        "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "promql_expr_test": [
            {
                "expr": counted,
                "eval_time": f"{MINUTES - 5}m",
                "exp_samples": [{"value": 1}] if fires else [],
            }
        ],
    }


def test_every_alert_has_a_scene_in_which_it_fires_and_one_in_which_it_does_not() -> None:
    assert set(names()) == SCENES.keys()


@pytest.fixture(scope="module")
def promtool() -> str:
    found = shutil.which("promtool")
    if found is None:
        pytest.skip("promtool is not here: it is in the Debian package prometheus")
    return found


def test_rules_and_the_example_of_scraping_are_well_formed(promtool: str) -> None:
    for check, file in (("rules", "alerts.yaml"), ("config", "prometheus.yaml")):
        done = said(promtool, "check", check, PROMETHEUS / file)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("fires", [True, False], ids=["fires", "keeps quiet"])
def test_alerts_fire_in_their_scenes(promtool: str, tmp_path: Path, *, fires: bool) -> None:
    tests = [scene(alert, pair[0] if fires else pair[1], fires=fires) for alert, pair in SCENES.items()]
    file = tmp_path / "scenes.yaml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": tests}))
    done = said(promtool, "test", "rules", file)
    assert done.returncode == 0, done.stdout + done.stderr


def said(*argv: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(each) for each in argv], capture_output=True, text=True, check=False)
