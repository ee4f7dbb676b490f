from itertools import product

from deepoj_domain.streams import Streams, is_of_jobs
from deepoj_domain.submission.route import Band, Lane

STREAMS = Streams("test")


def test_every_lane_and_band_has_a_stream_of_jobs() -> None:
    names = [STREAMS.jobs(lane, band) for lane, band in product(Lane, Band)]
    assert len(set(names)) == len(Lane) * len(Band)
    assert all(map(is_of_jobs, names))


def test_no_other_stream_has_jobs() -> None:
    others = (
        STREAMS.submission_events,
        STREAMS.cancellations,
        STREAMS.question_events,
        STREAMS.account_events,
        STREAMS.dead_letters,
    )
    assert len(set(others)) == len(others)
    assert not any(map(is_of_jobs, others))
