"""The floors: imports run downwards, the check of that can fail, and importing the package is cheap."""

from __future__ import annotations

import ast
import importlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import symattn

ROOT = Path(__file__).parents[1]
RUN_CONTRACTS = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"


def lint(folder: Path) -> tuple[int, str]:
    """Exit code and output of the import-layer check on the packages in a folder."""
    done = subprocess.run([sys.executable, "-c", RUN_CONTRACTS], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of both packages with the contracts."""
    for package in ("symattn", "proofs_checks"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_imports_run_downwards(copied: Path) -> None:
    code, output = lint(copied)
    assert code == 0, output
    assert "0 broken" in output


FLOORS = "Imports run downwards"
BLIND = "What finds an exponent cannot reach the theorem that predicts it"
RENDER = "Reports render results; they do not run the checks"


@pytest.mark.parametrize(
    ("module", "line", "broken"),
    [
        ("symattn/exact/smith.py", "from symattn.theory.orders import contact_orders", {FLOORS, BLIND}),
        ("symattn/exact/smith.py", "def late() -> None:\n    import symattn.theory", {FLOORS, BLIND}),
        ("symattn/exact/smith.py", "from symattn import predict_spectrum", {FLOORS, BLIND}),
        ("symattn/enclosures/__init__.py", "import symattn.theory", {FLOORS, BLIND}),
        ("symattn/enclosures/__init__.py", "import symattn.exact", {FLOORS}),
        ("symattn/network/rational.py", "import symattn.theory", {FLOORS, BLIND}),
        ("symattn/theory/orders.py", "import symattn.exact.smith", {FLOORS}),
        ("symattn/network/rational.py", "import symattn.exact.smith", {FLOORS}),
        ("symattn/arithmetic/padic.py", "import symattn.network.rational", {FLOORS}),
        ("symattn/normalizers/__init__.py", "import symattn.arithmetic", {FLOORS}),
        ("symattn/errors.py", "import symattn.normalizers", {FLOORS}),
        ("symattn/theory/orders.py", "import proofs_checks", {FLOORS}),
        ("symattn/verification/__init__.py", "import symattn.reports", {FLOORS}),
        ("symattn/reports/__init__.py", "import symattn.cli", {FLOORS}),
        ("symattn/reports/__init__.py", "import proofs_checks", {RENDER}),
    ],
)
def test_a_forbidden_import_breaks_the_check(copied: Path, module: str, line: str, broken: set[str]) -> None:
    with (copied / module).open("a", encoding="utf-8") as file:
        file.write(f"\n\n{line}\n")
    code, output = lint(copied)
    assert code == 1, output
    verdicts = [text for text in output.splitlines() if text.endswith("BROKEN")]
    found = {name for name in (FLOORS, BLIND, RENDER) for text in verdicts if text.startswith(name)}
    assert found >= broken, output


def modules_after(statement: str) -> set[str]:
    program = f"import sys, json; {statement}; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


HEAVY = {"sympy", "mpmath", "numpy", "matplotlib", "flint", "rich", "hypothesis"}


def test_importing_the_package_loads_nothing_heavy() -> None:
    loaded = modules_after("import symattn")
    assert not loaded & HEAVY
    assert {name for name in loaded if name.startswith("symattn.")} == set()


def test_the_help_loads_nothing_heavy() -> None:
    assert not modules_after("import symattn.cli.parser; symattn.cli.parser.build_parser().format_help()") & HEAVY
    assert "sympy" in modules_after("import sympy")  # the list of modules is not empty


def test_extras_are_loaded_only_where_they_are_used() -> None:
    loaded = modules_after("import symattn.reports.plots, symattn.verification.published, sympy, mpmath, flint")
    assert not loaded & {"numpy", "matplotlib", "rich"}


def test_a_name_loads_its_room() -> None:
    assert "symattn.network.files" in modules_after("import symattn; symattn.read_instance")


def test_reading_an_instance_of_the_catalog_needs_no_sympy() -> None:
    loaded = modules_after("import symattn; symattn.read_instance('examples/matrix_spectrum_fixture.json')")
    assert "sympy" not in loaded


def test_every_public_name_resolves() -> None:
    for name in symattn.__all__:
        assert getattr(symattn, name) is not None
    assert set(symattn.__all__) <= set(dir(symattn))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = symattn.nonsense


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse((ROOT / "symattn" / "__init__.py").read_text(encoding="utf-8"))
    guarded = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {alias.asname: node.module for node in guarded.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert seen == symattn._HOME


def private_imports(path: Path) -> list[str]:
    """The names that a file imports from symattn although their module does not list them in ``__all__``."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "symattn":
            module = importlib.import_module(node.module or "")
            for alias in node.names:
                is_module = isinstance(getattr(module, alias.name, None), type(module))
                if not is_module and alias.name not in module.__all__:
                    found.append(f"{node.module}.{alias.name}")
    return found


@pytest.mark.parametrize("path", sorted((ROOT / "proofs_checks").rglob("*.py")), ids=lambda path: path.stem)
def test_checks_use_public_names_only(path: Path) -> None:
    assert private_imports(path) == []


def test_a_private_name_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "check.py"
    file.write_text("from symattn.network.files import _NOTES, read_instance\nfrom symattn import network\n", encoding="utf-8")
    assert private_imports(file) == ["symattn.network.files._NOTES"]
