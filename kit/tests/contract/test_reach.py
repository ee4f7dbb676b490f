"""Whether the servers of somebody else are there, asked by several stacks at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest

from deepoj_kit.embedded.reach import UnreachableError, reach_s3
from deepoj_kit.testing.servers import Servers

STACKS = 4
BUCKETS = 3


def test_stacks_that_start_together_may_share_a_new_bucket(servers: Servers, bucket: str) -> None:
    start = Barrier(STACKS)

    def reach(number: int) -> None:
        start.wait()
        reach_s3(servers.s3, f"{bucket}-{number}")

    with ThreadPoolExecutor(STACKS) as stacks:
        for number in range(BUCKETS):
            assert list(stacks.map(lambda _, chosen=number: reach(chosen), range(STACKS))) == [None] * STACKS


def test_a_bucket_that_may_not_be_made_is_said_with_its_setting(servers: Servers, bucket: str) -> None:
    stranger = replace(servers.s3, secret_key="wrong" * 8)
    with pytest.raises(UnreachableError, match="DEEPOJ_S3_ENDPOINT"):
        reach_s3(stranger, bucket)
