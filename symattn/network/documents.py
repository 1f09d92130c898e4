"""JSON documents read without loss and written whole: numbers stay as written, repeated keys are noticed, and every failure is one line."""

from __future__ import annotations

import json
import os
import stat
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from symattn.errors import InputError
from symattn.network.numbers import NumberText, quoted

__all__ = [
    "FILE_LIMIT",
    "DocumentObject",
    "check_output",
    "make_directory",
    "parse_document",
    "path_text",
    "read_bytes",
    "read_document",
    "write_document",
    "write_files",
]

FILE_LIMIT = 8 * 2**20
"""Largest file that is read, in bytes."""


class DocumentObject(dict[str, object]):
    """A JSON object that remembers a key which was given twice (JSON readers otherwise drop the first value silently)."""

    def __init__(self, pairs: Iterable[tuple[str, object]] = ()) -> None:
        super().__init__()
        self.repeated: str | None = None
        for key, value in pairs:
            if key in self:
                self.repeated = key
            self[key] = value


def path_text(path: str | os.PathLike[str]) -> str:
    """The path as one line for a message."""
    text = os.fspath(path)
    return text if text.isprintable() else quoted(text, limit=200)


def read_document(path: str | os.PathLike[str]) -> object:
    """The JSON value in a UTF-8 file, with numbers as :class:`NumberText` and objects as :class:`DocumentObject`.

    Raises :class:`InputError` where :func:`read_bytes` does, and for a file that is larger than ``FILE_LIMIT`` bytes or not JSON.
    """
    source = path_text(path)
    data = read_bytes(path, FILE_LIMIT + 1)
    if len(data) > FILE_LIMIT:
        raise InputError(f"a file of at most {FILE_LIMIT // 2**20} MiB was expected", where=source)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"a UTF-8 text file with JSON was expected; byte {error.start + 1} is not UTF-8", where=source) from None
    return parse_document(text, source)


def read_bytes(path: str | os.PathLike[str], most: int) -> bytes:
    """The first bytes of a file, so many at most. Raises :class:`InputError` for one that is missing, unreadable, or not regular."""
    source = path_text(path)
    try:
        # A pipe or a device could be read from forever.
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise InputError("a regular file was expected, not a directory, pipe or device", where=source)
        with Path(path).open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise InputError(f"the file cannot be read: {error.strerror}", where=source) from None
    except ValueError:
        raise InputError("a file name without null characters was expected", where=source) from None


def parse_document(text: str, source: str) -> object:
    """The JSON value of a text; ``source`` names it in messages. Raises :class:`InputError` where the text is not JSON.

    >>> parse_document('{"a": [0.1, 1e400]}', "text")
    {'a': ['0.1', '1e400']}
    """
    try:
        return json.loads(text, object_pairs_hook=DocumentObject, parse_int=NumberText, parse_float=NumberText, parse_constant=NumberText)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON at line {error.lineno}, column {error.colno}: {error.msg}", where=source) from None
    except RecursionError:
        raise InputError("lists and objects are nested too deeply", where=source) from None


def make_directory(path: str | os.PathLike[str]) -> None:
    """Make a directory for files, unless there is one. Raises :class:`InputError` where it cannot be made, or holds no new files."""
    where = path_text(path)
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise InputError(f"the directory cannot be made: {error.strerror}", where=where) from None
    except ValueError:
        raise InputError("a directory name without null characters was expected", where=where) from None
    if not os.access(path, os.W_OK | os.X_OK):
        raise InputError("the directory cannot be written to", where=where)


def check_output(path: str | os.PathLike[str], source: str | os.PathLike[str] | None = None) -> None:
    """Raise :class:`InputError` unless ``path`` is free in a directory that exists, or leads to a regular file other than ``source``.

    ``source`` is the input file, under any name. A command with a long computation asks this before it, and :func:`write_files` asks
    again.
    """
    where = path_text(path)
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise InputError("the file cannot be written: a directory, pipe or device has this name", where=where)
        if source is not None and os.path.samefile(path, source):
            raise InputError("the file cannot be written: it is the input file", where=where)
    except FileNotFoundError:
        if not os.path.isdir(os.path.dirname(os.path.realpath(path))):
            raise InputError("the file cannot be written: there is no such directory", where=where) from None
    except OSError as error:
        raise InputError(f"the file cannot be written: {error.strerror}", where=where) from None
    except ValueError:
        raise InputError("a file name without null characters was expected", where=where) from None


def write_document(text: str, path: str | os.PathLike[str]) -> None:
    """Write a text as UTF-8 by :func:`write_files`."""
    write_files({path: text.encode("utf-8")})


def write_files(contents: Mapping[str | os.PathLike[str], bytes]) -> None:
    """Write files so that each is complete, or as it was before; none is replaced before all of them are on the disk.

    A symbolic link is followed, and a file that is there keeps its mode. Raises :class:`InputError` for a file that cannot be
    written, and where :func:`check_output` does.
    """
    for path in contents:
        check_output(path)
    waiting: dict[str | os.PathLike[str], str] = {}
    try:
        for path, data in contents.items():
            target = Path(os.path.realpath(path))
            handle, waiting[path] = tempfile.mkstemp(prefix=".symattn.", dir=target.parent)
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            # A temporary file is readable by its owner only; a result should be as readable as any new file.
            os.chmod(waiting[path], stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_mask())
        for path in contents:
            os.replace(waiting[path], os.path.realpath(path))
            del waiting[path]
    except OSError as error:
        raise InputError(f"the file cannot be written: {error.strerror}", where=path_text(path)) from None
    finally:
        for name in waiting.values():
            os.unlink(name)


def _mask() -> int:
    """The permissions that this process denies to new files, which the system tells only when they are set."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
