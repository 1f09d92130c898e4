"""symattn plot: the files and the document, what is refused before any work, and the missing extra."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

FILE = "examples/scalar_depth_four_separating.json"


@pytest.fixture
def matplotlib() -> None:
    pytest.importorskip("matplotlib")


@pytest.fixture
def no_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)


KINDS = [("ladder", "--depth", "3"), ("noise",), ("spectrum", FILE, "--t", "1/50,0.04")]


@pytest.mark.usefixtures("matplotlib")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind[0])
def test_files_and_document(run, tmp_path: Path, kind: tuple[str, ...]) -> None:
    prefix = tmp_path / "plot.of"
    ran = run("plot", *kind, "--out", str(prefix), "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.document.keys() == {"title", "caption", "files"}
    assert ran.document["files"] == [f"{prefix}.png", f"{prefix}.svg"]
    assert sorted(tmp_path.iterdir()) == [Path(name) for name in ran.document["files"]]
    png, svg = (Path(name).read_bytes() for name in ran.document["files"])
    assert png.startswith(b"\x89PNG")
    assert png.endswith(b"IEND\xaeB`\x82")
    assert svg.rstrip().endswith(b"</svg>")
    assert ran.document["title"].encode() in svg
    text = run("plot", *kind, "--out", str(prefix))
    assert (text.code, text.err) == (0, "")
    assert " ".join(ran.document["caption"].split()) in " ".join(text.out.split())
    assert text.out.splitlines()[-2:] == [f"file     {name}" for name in ran.document["files"]]
    assert (Path(f"{prefix}.png").read_bytes(), Path(f"{prefix}.svg").read_bytes()) == (png, svg)  # the same again, byte for byte


@pytest.mark.usefixtures("no_matplotlib")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind[0])
def test_without_matplotlib(run, tmp_path: Path, kind: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    _forbid_work(monkeypatch)
    ran = run("plot", *kind, "--out", str(tmp_path / "plot"))
    ran.assert_one_line(2, "symattn: plot: matplotlib is needed: pip install 'symattn[plot]'")
    assert list(tmp_path.iterdir()) == []


def _forbid_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(*arguments: object, **options: object) -> None:
        raise AssertionError("work was done")

    for name in ("scales.enclose_at_scales", "published.recovery_noise.noise_curve"):
        monkeypatch.setattr(f"symattn.verification.{name}", work)
    monkeypatch.setattr("symattn.theory.orders.common_order_ladder", work)


@pytest.mark.parametrize("suffix", ["png", "svg"])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind[0])
def test_outputs_that_are_refused_before_any_work(
    run, tmp_path: Path, kind: tuple[str, ...], suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _forbid_work(monkeypatch)
    os.mkfifo(tmp_path / f"pipe.{suffix}")
    (tmp_path / f"folder.{suffix}").mkdir()
    for name in ("pipe", "folder"):
        ran = run("plot", *kind, "--out", str(tmp_path / name))
        ran.assert_one_line(2, f"{name}.{suffix}: the file cannot be written: a directory, pipe or device has this name")
    run("plot", *kind, "--out", str(tmp_path / "no" / "plot")).assert_one_line(2, "plot.png: the file cannot be written: there is no such")
    run("plot", *kind, "--out", "").assert_one_line(2, "--out: the beginning of a file name was expected")
    run("plot", *kind, "--out", f"{tmp_path}/").assert_one_line(2, "--out: the beginning of a file name was expected")
    run("plot", *kind).assert_one_line(2, "--out")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == sorted((f"folder.{suffix}", f"pipe.{suffix}"))


def test_the_input_file_is_not_replaced(run, tmp_path: Path) -> None:
    source = tmp_path / "instance.png"
    shutil.copy(FILE, source)
    (tmp_path / "link.svg").symlink_to(source)
    for prefix in ("instance", "link"):
        ran = run("plot", "spectrum", str(source), "--t", "1/50", "--out", str(tmp_path / prefix))
        ran.assert_one_line(2, "the file cannot be written: it is the input file")
    assert source.read_bytes() == Path(FILE).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        (("spectrum", FILE, "--t", "0.1,"), "--t: an exact number was expected"),
        (("spectrum", FILE, "--t", "nan"), "--t: an exact number was expected"),
        (("spectrum", FILE, "--t", "1/50," * 60), "--t: at most 50 scales were expected"),
        (("spectrum", FILE), "--t"),
        (("spectrum", FILE, "--t", "1/50", "--cutoff", "2"), "--cutoff: a number between 0 and 1"),
        (("spectrum", "missing.json", "--t", "1/50"), "missing.json: the file cannot be read"),
        (("ladder",), "--depth"),
        (("ladder", "--depth", "0"), "--depth"),
        (("ladder", "--depth", "2", "--k", "0"), "--k"),
        (("ladder", "--depth", "1000000"), "at most 10000 rows"),
        (("pie",), "invalid choice: 'pie'"),
        ((), "PLOT"),
    ],
)
def test_bad_arguments(run, tmp_path: Path, arguments: tuple[str, ...], fragment: str) -> None:
    out = ("--out", str(tmp_path / "plot")) if arguments else ()
    run("plot", *arguments, *out).assert_one_line(2, fragment)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("matplotlib")
def test_what_no_plot_can_show(run, tmp_path: Path) -> None:
    out = ("--out", str(tmp_path / "plot"))
    run("plot", "spectrum", FILE, "--t", "0", *out).assert_one_line(2, "t: a nonzero t was expected")
    run("plot", "ladder", "--depth", "9999", *out).assert_one_line(2, "more than 4000 digits")
    blind = {"symattn": 1, "tokens": 2, "width": 1, "normalizers": "exp(s)", "layers": [{"U": [[1]], "W": [[1]]}], "bank": [[[1], [1]]]}
    file = tmp_path / "blind.json"
    file.write_text(json.dumps(blind))
    run("plot", "spectrum", str(file), "--t", "1/50", *out).assert_one_line(3, "more kernel than the explicit directions")
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.usefixtures("matplotlib")
def test_surroundings(process, tmp_path: Path) -> None:
    """A first use, where matplotlib finds no cache, says nothing; a backend that it refuses is one line."""
    command = ("plot", "ladder", "--depth", "2", "--out", str(tmp_path / "plot"))
    unused = {"MPLCONFIGDIR": "/proc/none", "HOME": "/proc/none"}
    ran = process(*command, environment=unused)
    assert (ran.code, ran.err) == (0, "")
    ran = process(*command, environment={"MPLBACKEND": "nonsense"})
    ran.assert_one_line(2, "plot: matplotlib cannot be loaded: ", "nonsense")
