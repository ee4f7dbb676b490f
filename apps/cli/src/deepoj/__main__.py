"""`deepoj` and `python -m deepoj`."""

import sys


def main() -> None:
    try:
        from deepoj.cli import cli  # noqa: PLC0415 — takes long enough to be broken off

        cli(prog_name="deepoj")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
