"""The servers every other contract test relies on are real and give each test a space of its own."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import psycopg
import pytest
from minio import Minio
from minio.error import S3Error
from redis import Redis

from deepoj_kit.testing.plugin import PrivateServer
from deepoj_kit.testing.servers import Servers


@pytest.mark.parametrize("run", [1, 2])
def test_each_test_gets_an_empty_database(postgres_url: str, run: int) -> None:
    with psycopg.connect(postgres_url) as connection:
        connection.execute("CREATE TABLE mine (run int)")
        connection.execute("INSERT INTO mine VALUES (%s)", (run,))
        assert connection.execute("SELECT run FROM mine").fetchall() == [(run,)]


def test_a_copy_of_a_template_has_what_was_prepared_and_is_the_tests_own(
    make_template: Callable[[Callable[[str], None]], str], make_database: Callable[[str], str]
) -> None:
    def prepare(url: str) -> None:
        with psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE prepared (id int)")

    template = make_template(prepare)
    for _ in range(2):
        with psycopg.connect(make_database(template)) as connection:
            assert connection.execute("SELECT count(*) FROM prepared").fetchone() == (0,)
            connection.execute("INSERT INTO prepared VALUES (1)")


def test_postgres_refuses_a_wrong_password(servers: Servers) -> None:
    parts = urlsplit(servers.postgres_url)
    wrong = parts._replace(netloc=f"{parts.username}:wrong@").geturl()
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(wrong)


def test_s3_refuses_a_wrong_key(servers: Servers, bucket: str) -> None:
    host = urlsplit(servers.s3.endpoint).netloc
    client = Minio(host, access_key=servers.s3.access_key, secret_key="not the key", secure=False)
    with pytest.raises(S3Error, match="SignatureDoesNotMatch"):
        list(client.list_objects(bucket))


def test_a_private_redis_keeps_its_streams_over_a_clean_restart(private_redis: PrivateServer) -> None:
    with Redis.from_url(private_redis.url) as client:
        client.xadd("stream", {"field": "value"})
    private_redis.stop()
    private_redis.start()
    with Redis.from_url(private_redis.url) as client:
        assert client.xlen("stream") == 1


def test_a_private_postgres_keeps_what_was_committed_before_a_kill(private_postgres: PrivateServer) -> None:
    with psycopg.connect(private_postgres.url) as connection:
        connection.execute("CREATE TABLE kept (id int)")
    private_postgres.kill()
    private_postgres.start()
    with psycopg.connect(private_postgres.url) as connection:
        assert connection.execute("SELECT count(*) FROM kept").fetchone() == (0,)
