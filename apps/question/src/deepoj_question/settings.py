"""What the question service is told from outside."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Annotated

import msgspec

from deepoj_domain.question.limits import MOST_DATA_BYTES
from deepoj_kit.settings import ByteSize, PostgresUrl, ProcessSettings, Secret, ServiceAddress
from deepoj_packages.options import ReadingLimits
from deepoj_question.outbound.packages.judging_reader import Defaults
from deepoj_question.outbound.packages.local_packages import PackagePolicy


class QuestionSettings(ProcessSettings, frozen=True, kw_only=True):
    postgres_url: PostgresUrl
    redis_url: Annotated[Secret, msgspec.Meta(description="Redis, redis://… or unix://…")]
    s3_endpoint: Annotated[str, msgspec.Meta(description="object store, http(s)://host:port")]
    s3_access_key: Annotated[str, msgspec.Meta(description="account at the object store")]
    s3_secret_key: Annotated[Secret, msgspec.Meta(description="its secret")]
    s3_bucket: Annotated[str, msgspec.Meta(description="bucket of test data and assets")]
    game_address: ServiceAddress
    record_address: Annotated[
        str,
        msgspec.Meta(description="where judge hosts are known; empty: they are not let in here"),
    ] = ""
    postgres_connections: Annotated[
        int, msgspec.Meta(ge=1, description="connections to PostgreSQL at most")
    ] = 8
    object_bytes: Annotated[
        ByteSize, msgspec.Meta(description="largest file of a question; what a run can read is the most")
    ] = ByteSize(MOST_DATA_BYTES)
    package_bytes: Annotated[ByteSize, msgspec.Meta(description="largest archive of a package")] = ByteSize(
        2 * 1024**3
    )
    unpacked_bytes: Annotated[ByteSize, msgspec.Meta(description="all files of a package together")] = (
        ByteSize(4 * 1024**3)
    )
    package_files: Annotated[int, msgspec.Meta(ge=1, description="files of a package")] = 20_000
    packages_at_once: Annotated[
        int, msgspec.Meta(ge=1, description="packages read or written at the same time")
    ] = 2
    package_directory: Annotated[
        Path | None, msgspec.Meta(description="where packages are unpacked; default the temporary directory")
    ] = None
    default_time_limit: Annotated[
        timedelta, msgspec.Meta(description="for a package that names no time limit")
    ] = timedelta(seconds=2)
    default_memory_limit: Annotated[
        ByteSize, msgspec.Meta(description="for a package that names no memory limit")
    ] = ByteSize(512 * 1024**2)
    outbox_keep: Annotated[timedelta, msgspec.Meta(description="how long delivered messages are kept")] = (
        timedelta(days=1)
    )

    objects_keep: Annotated[
        timedelta,
        msgspec.Meta(
            description="how long files are kept that no revision names, a day at least; 0: for ever"
        ),
    ] = timedelta(days=7)

    @property
    def largest_object(self) -> int:
        """No operator can make a run read more."""
        return min(self.object_bytes, MOST_DATA_BYTES)

    def package_policy(self) -> PackagePolicy:
        return PackagePolicy(
            archive_bytes=self.package_bytes,
            limits=ReadingLimits(
                files=self.package_files, total_bytes=self.unpacked_bytes, file_bytes=self.largest_object
            ),
            defaults=Defaults(
                time_ms=round(self.default_time_limit.total_seconds() * 1000),
                memory_bytes=self.default_memory_limit,
            ),
        )
