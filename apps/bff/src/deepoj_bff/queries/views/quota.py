"""What admission goes by."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from deepoj_bff.queries.views.base import View


class Quota(View, frozen=True, kw_only=True):
    in_flight: int
    in_flight_limit: int
    submitted_today: int
    daily_quota: int
    interval_ms: Annotated[int, Meta(description="One more submission may be sent in each interval …")]
    burst: Annotated[int, Meta(description="… and so many at once after a pause.")]


class Quotas(View, frozen=True, kw_only=True):
    """The limits in force, as the settings of this front door have them."""

    in_flight: int
    daily_quota: int
    interval_ms: int
    burst: int
    queue_high_water: int
    queue_depth: Annotated[int | None, Meta(description="Null when nobody could say.")]
    live_workers: Annotated[int | None, Meta(description="Null when nobody could say.")]


class DoorLimits(View, frozen=True, kw_only=True):
    """What this front door takes at once, and from whom, as its settings have it."""

    exempt_networks: Annotated[
        list[str], Meta(description="Not limited as one address, such as the network of a contest hall.")
    ]
    streams: int
    streams_of_one: int
    streams_of_guests: Annotated[int, Meta(description="Of all guests from one network.")]
    body_bytes: int
