"""What the record service is told from outside."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

import msgspec

from deepoj_domain.submission.attempt import LeaseTerms
from deepoj_domain.submission.retry import RetryPolicies, RetryPolicy
from deepoj_kit.settings import ByteSize, PostgresUrl, ProcessSettings, Secret, ServiceAddress
from deepoj_record.commands.claim import JudgingPolicy
from deepoj_record.commands.submit import SubmitPolicy
from deepoj_record.queries.join_host import HostSettings

Delays = Annotated[tuple[str, ...], msgspec.Meta(description="seconds before each further attempt")]


class RecordSettings(ProcessSettings, frozen=True, kw_only=True):
    postgres_url: PostgresUrl
    redis_url: Annotated[Secret, msgspec.Meta(description="Redis, redis://… or unix://…")]
    question_address: ServiceAddress
    game_address: ServiceAddress
    judgement_address: ServiceAddress
    postgres_connections: Annotated[
        int, msgspec.Meta(ge=1, description="connections to PostgreSQL at most, per pool")
    ] = 8
    s3_endpoint: Annotated[
        str, msgspec.Meta(description="object store, http(s)://host:port; only `serve` needs it")
    ] = ""
    s3_access_key: Annotated[str, msgspec.Meta(description="account at the object store")] = ""
    s3_secret_key: Annotated[Secret, msgspec.Meta(description="its secret")] = Secret("")
    s3_bucket: Annotated[str, msgspec.Meta(description="bucket of test data and logs")] = ""
    hosts_record_address: Annotated[
        str, msgspec.Meta(description="where judge hosts elsewhere call record, host:port")
    ] = ""
    hosts_question_address: Annotated[
        str, msgspec.Meta(description="where judge hosts elsewhere call question, host:port")
    ] = ""
    hosts_redis_url: Annotated[
        Secret, msgspec.Meta(description="Redis for judge hosts elsewhere, with a user of their own")
    ] = Secret("")
    hosts_redis_own: Annotated[
        bool, msgspec.Meta(description="each judge host has its own user of Redis, made when it is invited")
    ] = False
    hosts_redis_admin_url: Annotated[
        Secret,
        msgspec.Meta(description="Redis, as `invite` and `revoke` make users there; default redis_url"),
    ] = Secret("")
    hosts_s3_endpoint: Annotated[str, msgspec.Meta(description="object store for judge hosts elsewhere")] = ""
    hosts_s3_access_key: Annotated[str, msgspec.Meta(description="their account at the object store")] = ""
    hosts_s3_secret_key: Annotated[Secret, msgspec.Meta(description="its secret")] = Secret("")
    hosts_reference_ms: Annotated[
        int,
        msgspec.Meta(
            ge=0, description="what `speed` measured on the reference host, for judge hosts; 0: as they are"
        ),
    ] = 0
    source_bytes: Annotated[ByteSize, msgspec.Meta(description="largest source code")] = ByteSize(65536)
    lease: Annotated[timedelta, msgspec.Meta(description="how long a worker may be silent")] = timedelta(
        seconds=60
    )
    heartbeat: Annotated[
        timedelta, msgspec.Meta(description="how often a worker reports; at most half the lease")
    ] = timedelta(seconds=20)
    reclaim_grace: Annotated[
        timedelta, msgspec.Meta(description="how long after its lease a job is left to its first worker")
    ] = timedelta(seconds=15)
    max_attempts: Annotated[int, msgspec.Meta(ge=1, description="attempts before a job is dead")] = 3
    max_hand_backs: Annotated[
        int,
        msgspec.Meta(ge=0, description="times a job may be handed back by its workers at no attempt's cost"),
    ] = 100
    light_backoff: Delays = ("2", "4", "8")
    heavy_backoff: Delays = ("2", "4", "8")
    languages_refresh: Annotated[
        timedelta, msgspec.Meta(description="how often judgement is asked for its languages")
    ] = timedelta(seconds=5)
    patience: Annotated[
        timedelta, msgspec.Meta(description="how old a message must be before the watchdog looks for it")
    ] = timedelta(seconds=30)
    watchdog_interval: Annotated[timedelta, msgspec.Meta(description="how often the watchdog sweeps")] = (
        timedelta(seconds=5)
    )
    job_group: Annotated[
        str, msgspec.Meta(min_length=1, description="consumer group of the judge workers")
    ] = "judgement"
    outbox_head_start: Annotated[
        timedelta, msgspec.Meta(description="how long the relay leaves a message to whoever wrote it")
    ] = timedelta(seconds=2)
    outbox_keep: Annotated[timedelta, msgspec.Meta(description="how long delivered messages are kept")] = (
        timedelta(days=1)
    )
    logs_keep: Annotated[
        timedelta,
        msgspec.Meta(description="how long logs of submissions are kept, a day at least; 0: for ever"),
    ] = timedelta(0)
    rejudge_limit: Annotated[int, msgspec.Meta(ge=1, description="submissions in one rejudge at most")] = (
        10_000
    )
    rejudge_allowance: Annotated[
        int,
        msgspec.Meta(ge=1, description="submissions whoever manages a contest may have rejudged in a day"),
    ] = 20_000

    @property
    def hosts_admin_url(self) -> str:
        return self.hosts_redis_admin_url.reveal() or self.redis_url.reveal()

    def host_settings(self) -> HostSettings:
        """Read the authorities anew each time: they may have been renewed."""
        return HostSettings(
            env=self.env,
            record_address=self.hosts_record_address,
            question_address=self.hosts_question_address,
            redis_url=self.hosts_redis_url.reveal(),
            redis_own=self.hosts_redis_own,
            s3_endpoint=self.hosts_s3_endpoint,
            s3_bucket=self.s3_bucket,
            s3_access_key=self.hosts_s3_access_key,
            s3_secret_key=self.hosts_s3_secret_key.reveal(),
            tls=self.tls,
            reference_ms=self.hosts_reference_ms,
            authorities="" if self.tls_ca is None else self.tls_ca.read_text(),
        )

    def judging_policy(self) -> JudgingPolicy:
        return JudgingPolicy(
            terms=LeaseTerms(duration=self.lease, heartbeat=self.heartbeat, grace=self.reclaim_grace),
            retries=RetryPolicies(
                light=self._retry_policy(self.light_backoff), heavy=self._retry_policy(self.heavy_backoff)
            ),
        )

    def _retry_policy(self, delays: tuple[str, ...]) -> RetryPolicy:
        return RetryPolicy(
            max_attempts=self.max_attempts,
            max_hand_backs=self.max_hand_backs,
            delays=tuple(timedelta(seconds=float(each)) for each in delays),
        )

    def submit_policy(self) -> SubmitPolicy:
        return SubmitPolicy(source_bytes=self.source_bytes)
