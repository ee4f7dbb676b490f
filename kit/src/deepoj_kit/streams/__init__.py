"""Redis Streams: publish, and consume in groups."""

from deepoj_kit.streams.codec import Codec, EventCodec, FieldsCodec, NotForUs, Undecodable
from deepoj_kit.streams.connection import connect
from deepoj_kit.streams.consumer import Consumer
from deepoj_kit.streams.follower import Follower
from deepoj_kit.streams.options import ConsumerOptions, Permits
from deepoj_kit.streams.outcomes import (
    BatchHandler,
    Delivery,
    Done,
    Dropped,
    Failed,
    Handler,
    Kept,
    Outcome,
    Poison,
    each,
)
from deepoj_kit.streams.retention import MaxAge, MaxLength, Retention

__all__ = [
    "BatchHandler",
    "Codec",
    "Consumer",
    "ConsumerOptions",
    "Delivery",
    "Done",
    "Dropped",
    "EventCodec",
    "Failed",
    "FieldsCodec",
    "Follower",
    "Handler",
    "Kept",
    "MaxAge",
    "MaxLength",
    "NotForUs",
    "Outcome",
    "Permits",
    "Poison",
    "Retention",
    "Undecodable",
    "connect",
    "each",
]
