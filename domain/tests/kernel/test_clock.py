from datetime import UTC, datetime, timedelta, timezone

import pytest

from deepoj_domain.kernel.clock import next_midnight, require_utc
from deepoj_domain.kernel.digest import content_hash, hash_of
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.testing import NOW, QUESTION


@pytest.mark.parametrize("moment", [NOW.replace(tzinfo=None), NOW.astimezone(timezone(timedelta(hours=8)))])
def test_a_time_that_is_not_utc_is_refused(moment: datetime) -> None:
    with pytest.raises(InvalidValueError) as refused:
        require_utc(NOW, moment)
    assert refused.value.code == "time_not_utc"


def test_the_day_ends_at_midnight_utc() -> None:
    assert next_midnight(NOW) == datetime(2026, 1, 2, tzinfo=UTC)
    assert next_midnight(datetime(2026, 1, 2, tzinfo=UTC)) == datetime(2026, 1, 3, tzinfo=UTC)


def test_a_content_hash_is_checked() -> None:
    assert content_hash(hash_of(b"data")) == hash_of(b"data")
    with pytest.raises(InvalidValueError):
        content_hash("ABC")


def test_revisions_count_from_one() -> None:
    with pytest.raises(InvalidValueError):
        RevisionRef(QUESTION, 0)
