"""Every way the standard library says that an archive is damaged, as one refusal."""

import errno
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from deepoj_packages.archives.names import unsafe_name
from deepoj_packages.refusal import PackageRefusedError, Reason

_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    NotImplementedError,
    ValueError,
)


@contextmanager
def damage_refused() -> Iterator[None]:
    try:
        yield
    except UnicodeDecodeError as error:
        raise unsafe_name(repr(error.object)[:100], "is not UTF-8") from error
    except _DAMAGE as error:
        raise _damaged() from error
    except OSError as error:
        # Without a number it comes from a decompressor, with EINVAL from a seek to nowhere; the others are
        # about our own disk.
        if error.errno not in {None, errno.EINVAL}:
            raise
        raise _damaged() from error


def _damaged() -> PackageRefusedError:
    return PackageRefusedError(Reason.BROKEN_ARCHIVE, "the archive is cut off or damaged")
