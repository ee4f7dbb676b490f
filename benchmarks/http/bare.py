"""The server of the front door with one route that says hello: `python -m benchmarks.http.bare HOST:PORT`."""

from __future__ import annotations

import sys

import uvloop
from litestar import Litestar, get

from deepoj_bff.inbound.http.server import HttpServer


@get("/")
async def hello() -> dict[str, str]:
    return {"hello": "world"}


if __name__ == "__main__":
    app = Litestar([hello], openapi_config=None, logging_config=None)
    uvloop.run(HttpServer(app, sys.argv[1]).serve())
