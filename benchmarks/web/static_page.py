"""The text of a page of the site, as a page that nobody has to put together."""

from __future__ import annotations

import html
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from playwright.sync_api import Browser

from benchmarks.web.load import quiet

HEAD = '<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>T</title>'


def text_page(browser: Browser, url: str) -> bytes:
    page = browser.new_page()
    page.goto(url)
    quiet(page)
    title, *lines = page.inner_text("body").splitlines()
    page.close()
    text = "\n".join(f"<p>{html.escape(line)}</p>" for line in lines if line.strip())
    return f"{HEAD}<h1>{html.escape(title)}</h1>{text}</html>".encode()


@contextmanager
def serve(body: bytes) -> Iterator[str]:
    """Serve it at every address; give one."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 — the name is theirs
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
