"""Several files are written together: each whole, and none replaced where one of them cannot be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from symattn.errors import InputError
from symattn.network.documents import check_output, write_files


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_all_are_written(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"before")
    write_files({tmp_path / "a": b"\x00one", tmp_path / "b": b"two"})
    assert [(tmp_path / name).read_bytes() for name in ("a", "b")] == [b"\x00one", b"two"]
    assert names(tmp_path) == ["a", "b"]


def test_none_is_replaced_where_one_has_a_bad_name(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"before")
    (tmp_path / "b").mkdir()
    with pytest.raises(InputError, match="b: the file cannot be written: a directory"):
        write_files({tmp_path / "a": b"one", tmp_path / "b": b"two"})
    assert (tmp_path / "a").read_bytes() == b"before"
    assert names(tmp_path) == ["a", "b"]


def test_none_is_replaced_where_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(b"before")
    made = 0

    def full(*arguments: object) -> None:
        nonlocal made
        made += 1
        if made == 2:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "chmod", full)
    with pytest.raises(InputError, match="b: the file cannot be written: No space left on device"):
        write_files({tmp_path / "a": b"one", tmp_path / "b": b"two"})
    assert (tmp_path / "a").read_bytes() == b"before"
    assert names(tmp_path) == ["a"]


def test_a_directory_that_is_missing_is_told_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a: the file cannot be written: there is no such directory"):
        check_output(tmp_path / "missing" / "a")
    (tmp_path / "link").symlink_to(tmp_path / "missing" / "a")
    with pytest.raises(InputError, match="link: the file cannot be written: there is no such directory"):
        check_output(tmp_path / "link")
    (tmp_path / "missing").mkdir()
    check_output(tmp_path / "link")
