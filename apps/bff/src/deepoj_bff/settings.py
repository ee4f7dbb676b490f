"""What the HTTP front door is told from outside."""

from __future__ import annotations

from datetime import timedelta
from importlib.metadata import version
from typing import Annotated

from msgspec import Meta

from deepoj_bff.inbound.http.params import PAGE_SIZE
from deepoj_bff.inbound.http.sse.open_streams import StreamTerms
from deepoj_bff.inbound.http.wire.program import INPUT_LENGTH, SOURCE_LENGTH
from deepoj_bff.queries.site import SiteTerms
from deepoj_bff.queries.views.quota import DoorLimits
from deepoj_bff.queries.views.site import SiteLimits
from deepoj_domain.admission.decide import AdmissionLimits
from deepoj_domain.kernel.network import Network, networks
from deepoj_domain.kernel.token_bucket import RateLimit
from deepoj_kit.settings import ByteSize, ProcessSettings, Secret, ServiceAddress

HttpListen = Annotated[
    str, Meta(pattern=r"^[^:]+:\d+$", description="host:port on which browsers and tools are served")
]


class BffSettings(ProcessSettings, frozen=True, kw_only=True):
    listen: HttpListen = "127.0.0.1:8000"
    record_address: ServiceAddress
    judgement_address: ServiceAddress
    question_address: ServiceAddress
    game_address: ServiceAddress
    user_address: ServiceAddress
    redis_url: Annotated[Secret, Meta(description="Redis, redis://… or unix://…")]
    public_url: Annotated[
        str | None,
        Meta(
            pattern=r"^https?://[^/\s]+$",
            description="the site as browsers see it; https makes cookies secure",
        ),
    ] = None
    trusted_proxies: Annotated[
        tuple[str, ...], Meta(description="networks whose X-Forwarded-For is believed, such as 10.0.0.0/8")
    ] = ()
    exempt_networks: Annotated[
        tuple[str, ...], Meta(description="networks not limited as one address, such as a contest hall's")
    ] = ()
    site_name: Annotated[str, Meta(min_length=1, max_length=64, description="what the site is called")] = (
        "Deep-OJ"
    )
    start_problem: Annotated[
        str | None,
        Meta(pattern=r"^[a-z0-9-]{1,64}$", description="the problem newcomers are shown first, by its slug"),
    ] = None
    demo: Annotated[bool, Meta(description="tell visitors that this site is for trying out")] = False
    submit_interval: Annotated[
        timedelta, Meta(description="an account gets one more submission in each interval")
    ] = timedelta(seconds=3)
    submit_burst: Annotated[int, Meta(ge=1, description="submissions at once after a pause")] = 10
    submit_in_flight: Annotated[
        int, Meta(ge=1, description="submissions of an account that may wait or be judged at once")
    ] = 5
    submit_daily: Annotated[int, Meta(ge=1, description="submissions of an account a day (UTC)")] = 500
    queue_high_water: Annotated[
        int, Meta(ge=1, description="waiting submissions from which on new ones are turned away")
    ] = 1000
    busy_retry: Annotated[
        timedelta, Meta(description="when those turned away may come back, if nothing better is known")
    ] = timedelta(seconds=10)
    run_interval: Annotated[timedelta, Meta(description="the same for runs of one's own input")] = timedelta(
        seconds=2
    )
    run_burst: Annotated[int, Meta(ge=1, description="runs at once after a pause")] = 10
    run_in_flight: Annotated[int, Meta(ge=1, description="runs of an account at once")] = 2
    stream_heartbeat: Annotated[timedelta, Meta(description="between signs of life on an event stream")] = (
        timedelta(seconds=15)
    )
    stream_lifetime: Annotated[
        timedelta, Meta(description="after which an event stream has to be resumed")
    ] = timedelta(minutes=30)
    streams: Annotated[int, Meta(ge=1, description="event streams open at once")] = 5000
    streams_of_one: Annotated[int, Meta(ge=1, description="event streams of one account at once")] = 20
    streams_of_guests: Annotated[
        int, Meta(ge=1, description="event streams at once of all guests from one network")
    ] = 200
    body_limit: Annotated[ByteSize, Meta(description="largest JSON body")] = ByteSize(1024 * 1024)

    @property
    def http_grace(self) -> timedelta:
        """What other parts of the process need to stop is left to them."""
        return self.shutdown_grace / 2

    def proxies(self) -> tuple[Network, ...]:
        return networks("trusted_proxies", self.trusted_proxies)

    def exempt(self) -> tuple[Network, ...]:
        return networks("exempt_networks", self.exempt_networks)

    def submission_limits(self) -> AdmissionLimits:
        return AdmissionLimits(
            rate=RateLimit(self.submit_interval, self.submit_burst),
            in_flight=self.submit_in_flight,
            daily_quota=self.submit_daily,
            queue_high_water=self.queue_high_water,
            busy_retry=self.busy_retry,
        )

    def run_limits(self) -> AdmissionLimits:
        return AdmissionLimits(
            rate=RateLimit(self.run_interval, self.run_burst),
            in_flight=self.run_in_flight,
            # There is none for a day; runs are not counted when they are over.
            daily_quota=self.run_in_flight,
            queue_high_water=self.queue_high_water,
            busy_retry=self.busy_retry,
        )

    def limits(self) -> DoorLimits:
        return DoorLimits(
            exempt_networks=[str(each) for each in self.exempt()],
            streams=self.streams,
            streams_of_one=self.streams_of_one,
            streams_of_guests=self.streams_of_guests,
            body_bytes=self.body_limit,
        )

    def site_terms(self) -> SiteTerms:
        return SiteTerms(
            name=self.site_name,
            version=version("deepoj-bff"),
            demo=self.demo,
            start_problem=self.start_problem,
            limits=SiteLimits(source_bytes=SOURCE_LENGTH, input_bytes=INPUT_LENGTH, page_size=PAGE_SIZE),
        )

    def stream_terms(self) -> StreamTerms:
        return StreamTerms(
            heartbeat=self.stream_heartbeat.total_seconds(),
            lifetime=self.stream_lifetime.total_seconds(),
            most=self.streams,
            most_of_one=self.streams_of_one,
            most_of_guests=self.streams_of_guests,
            exempt=self.exempt(),
        )
