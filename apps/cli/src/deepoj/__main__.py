"""`deepoj` and `python -m deepoj`."""

from deepoj.cli import cli


def main() -> None:
    cli(prog_name="deepoj")


if __name__ == "__main__":
    main()
