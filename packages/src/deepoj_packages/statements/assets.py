"""The files that a statement may name."""

from pathlib import PurePosixPath

from deepoj_packages.spec import ProblemSpec, StatementFormat

CONTENT_TYPES = {
    ".gif": "image/gif",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webp": "image/webp",
    ".zip": "application/zip",
}
BINARY = "application/octet-stream"


def assets_of(spec: ProblemSpec) -> dict[str, PurePosixPath]:
    """By the names that the text beside them has for them."""
    printed = {each.file.name: each.file for each in spec.statements if each.format is StatementFormat.PDF}
    images = {"/".join(image.parts[1:]): image for image in spec.images}
    return printed | images | {str(attachment): attachment for attachment in spec.attachments}


def content_type(file: PurePosixPath) -> str:
    return CONTENT_TYPES.get(file.suffix.lower(), BINARY)


def is_image(file: PurePosixPath) -> bool:
    return content_type(file).startswith("image/")
