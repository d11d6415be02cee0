"""Output that its reader may cut off, as `| head` does: the command goes on to its own exit code."""

from __future__ import annotations

import errno
import io
import sys
from typing import Any, TextIO, cast

GONE = frozenset((errno.EPIPE, errno.EINVAL) if sys.platform == "win32" else (errno.EPIPE,))
"""What the system says when nobody reads a pipe any more."""


class _OpenEnded(io.FileIO):
    """A pipe; what nobody reads is dropped."""

    def write(self, data: Any, /) -> int:
        """Write, unless the reader has gone."""
        try:
            return super().write(data) or 0
        except OSError as error:
            if error.errno not in GONE:
                raise
            return memoryview(data).nbytes


def may_be_cut_off(stream: io.TextIOWrapper) -> TextIO:
    """The same stream, where the end of its reader is not an error; a terminal or a file as it is."""
    raw = getattr(stream.buffer, "raw", stream.buffer)  # PYTHONUNBUFFERED leaves out what is between
    if type(raw) is not io.FileIO or raw.isatty() or raw.seekable():
        return stream
    stream.flush()
    pipe = _OpenEnded(raw.fileno(), "wb", closefd=False)
    is_unbuffered = raw is stream.buffer
    return io.TextIOWrapper(
        cast("io.BufferedWriter", pipe) if is_unbuffered else io.BufferedWriter(pipe),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
