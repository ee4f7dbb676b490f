"""A service as small as one can be: says it is ready, logs the names of its settings, ends on SIGTERM."""

import json
import os
import signal
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer


class Ops(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/readyz" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def main() -> None:
    name = sys.argv[1]
    if f"DEEPOJ_{name.upper()}_BROKEN" in os.environ:
        sys.exit(
            '{"level": "critical", "message": "no board to play on"}\n{"level": "info", "message": "stopped"}'
        )
    stubborn = f"DEEPOJ_{name.upper()}_STUBBORN" in os.environ
    signal.signal(signal.SIGTERM, signal.SIG_IGN if stubborn else lambda *_: sys.exit(0))
    settings = {key: value for key, value in os.environ.items() if key.startswith("DEEPOJ_")}
    sys.stderr.write(json.dumps({"message": "settings", "settings": settings}) + "\n")
    sys.stderr.flush()
    host, port = settings[f"DEEPOJ_{name.upper()}_OPS_LISTEN"].split(":")
    HTTPServer((host, int(port)), Ops).serve_forever()


if __name__ == "__main__":
    main()
