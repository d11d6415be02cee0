"""Files where Spark keeps them: Hadoop's file systems and object stores, by their URLs."""

from __future__ import annotations

import re
from contextlib import closing
from typing import Any

from reidrisk.engine.spark.jobs import Frame, collected, functions
from reidrisk.engine.spark.table import Input
from reidrisk.errors import BadData

REMOTE = re.compile(r"(?!file:)[A-Za-z][\w+.-]+://")
"""The start of a path that is not on this machine."""
MOST_FILES = 1_000_000
MANIFEST, UNFINISHED = "_reidrisk_manifest.json", "_reidrisk_unfinished.json"
"""Of a folder where nothing can be renamed: written last, and first."""


def remote_inputs(session: Any, frame: Frame) -> list[Input]:
    """The files behind a frame, with their sizes and times."""
    found = []
    for url in frame.inputFiles():
        system, path = _opened(session, url)
        status = system.getFileStatus(path)
        found.append(Input(url, status.getLen(), status.getModificationTime()))
    return sorted(found, key=lambda one: one.path)


def names_in(session: Any, url: str) -> list[str]:
    """What a folder holds; nothing if there is none."""
    system, path = _opened(session, url)
    if not system.exists(path):
        return []
    return sorted(one.getPath().getName() for one in system.listStatus(path))


def refuse_unfinished(session: Any, url: str) -> None:
    """Parts without a manifest are not all there, or were not checked."""
    names = names_in(session, url)
    if UNFINISHED in names and MANIFEST not in names:
        raise BadData(
            f"{url} is being written, or its writer was stopped.",
            hint="Write it again with the same command.",
        )


def remove(session: Any, url: str) -> None:
    """Remove a file, or a folder with its contents; a missing one is not an error."""
    system, path = _opened(session, url)
    system.delete(path, True)  # noqa: FBT003 - of Java


def write_remote(session: Any, url: str, text: str) -> None:
    """A small file, which object stores show once it is whole."""
    system, path = _opened(session, url)
    with closing(system.create(path)) as stream:
        stream.write(text.encode())


def read_remote(session: Any, url: str) -> str:
    """A small file."""
    system, path = _opened(session, url)
    size = system.getFileStatus(path).getLen()
    with closing(system.open(path)) as stream:
        return bytes(stream.readNBytes(size)).decode()


def digests(session: Any, folder: str) -> list[dict[str, Any]]:
    """Each part of a folder with its size and SHA-256, computed by the workers."""
    fn = functions()
    files = session.read.format("binaryFile").option("pathGlobFilter", "part-*").load(folder)
    name = fn.element_at(fn.split(fn.col("path"), "/"), -1)
    made = files.select(
        name.alias("name"), fn.col("length").alias("bytes"), fn.sha2("content", 256).alias("sha256")
    )
    found: list[dict[str, Any]] = collected(made, most=MOST_FILES).to_pylist()
    return sorted(found, key=lambda one: str(one["name"]))


def _opened(session: Any, url: str) -> tuple[Any, Any]:
    path = session._jvm.org.apache.hadoop.fs.Path(url)
    return path.getFileSystem(session._jsparkSession.sessionState().newHadoopConf()), path
