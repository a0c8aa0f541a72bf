"""The house: which rooms exist, and that a room imports only the rooms above it."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "circuit_export"

# Top to bottom; a room may import those above it, never one below.
ROOMS = [
    "definition",
    "diagnostics",
    "resources",
    "board",
    "restore",
    "runs",
    "formats",
    "validation",
    "store",
    "api",
    "server",
    "cli",
]
FRONT = {"__init__", "__main__"}
TOP_LEVEL = {
    *("circuit_export", "schemas", "themes", "examples", "goldens", "tests"),
    *("pyproject.toml", "README.md", "LICENSE"),
}
MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(module: Path) -> str:
    return module.relative_to(PACKAGE).with_suffix("").parts[0]


def imported_rooms(module: Path) -> set[str]:
    """The rooms that a module imports anywhere, inside functions too."""
    package = module.relative_to(ROOT).with_suffix("").parts[:-1]
    found = set()
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) + "." if node.level else ""
            names = [f"{base}{node.module or ''}".rstrip(".") + "." + alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "circuit_export" and len(parts) > 1 and (parts[1] in ROOMS):
                found.add(parts[1])
    return found


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_room_imports_only_the_rooms_above_it(module: Path) -> None:
    room = room_of(module)
    if room in FRONT:
        return
    allowed = set(ROOMS[: ROOMS.index(room) + 1])
    assert imported_rooms(module) <= allowed


def test_every_module_is_in_a_room() -> None:
    assert {room_of(module) for module in MODULES} <= set(ROOMS) | FRONT


def test_only_the_cli_imports_click() -> None:
    for module in MODULES:
        if room_of(module) != "cli":
            assert "click" not in {
                name.split(".")[0]
                for node in ast.walk(ast.parse(module.read_text("utf-8")))
                for name in (
                    [alias.name for alias in node.names]
                    if isinstance(node, ast.Import)
                    else [node.module or ""]
                    if isinstance(node, ast.ImportFrom)
                    else []
                )
            }


def test_no_format_names_another() -> None:
    folders = [path.name for path in (PACKAGE / "formats").iterdir() if path.is_dir() and path.name != "__pycache__"]
    for folder in folders:
        for module in (PACKAGE / "formats" / folder).rglob("*.py"):
            text = module.read_text("utf-8")
            for other in set(folders) - {folder}:
                assert f"formats.{other}" not in text


def test_the_top_level_holds_nothing_else() -> None:
    tracked = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert tracked - {"build", "dist", "site"} <= TOP_LEVEL
