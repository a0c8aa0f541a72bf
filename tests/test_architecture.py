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


FORMATS = sorted(path.name for path in (PACKAGE / "formats").iterdir() if (path / "__init__.py").is_file())
# Whether a board that the clock starts is well is asked of what knows its schedule; no other format has one.
ASKING_A_FORMAT = {"store/shelf.py"}
# What an assistant is offered is to draw boards: its tools' contract is of that one format.
OF_ONE_FORMAT = {"server"}


@pytest.mark.parametrize("module", [path for path in MODULES if room_of(path) != "formats"], ids=lambda path: path.stem)
def test_nothing_outside_the_formats_asks_which_format_it_has(module: Path) -> None:
    tree = ast.parse(module.read_text("utf-8"))
    if room_of(module) not in OF_ONE_FORMAT and module.relative_to(PACKAGE).as_posix() not in ASKING_A_FORMAT:
        imported = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        imported += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
        assert not [name for name in imported if name.startswith(tuple(f"circuit_export.formats.{f}" for f in FORMATS))]
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [ast.unparse(side) for side in (node.left, *node.comparators)]
            about_format = any(side.rpartition(".")[2] in ("format", "format_", "kind") for side in sides)
            assert not (about_format and {repr(name) for name in FORMATS} & set(sides)), sides


def test_nothing_outside_the_formats_names_the_language_of_programs() -> None:
    named = [path for path in MODULES if room_of(path) != "formats" and "circuitry" in path.read_text("utf-8").lower()]
    assert named == []


def test_the_top_level_holds_nothing_else() -> None:
    tracked = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert tracked - {"build", "dist", "site"} <= TOP_LEVEL


# What is written on a page may not change with the Python, so nothing there asks its tables of Unicode, which grow with
# each release. These ask them of ASCII alone, or of what is no part of a page.
ASCII_ONLY = {
    "board/anchors.py",
    "board/mermaid.py",
    "formats/json_text.py",
    "formats/letters.py",
    "formats/steps/picture.py",
}
ON_A_PAGE = {"picture.py", "words.py", "summaries.py", "sections.py", "connectors.py"}
GROWING = {"isalnum", "isalpha", "isdigit", "isdecimal", "isnumeric", "isidentifier", "casefold", "title", "capitalize"}


def asks_growing_tables(module: Path) -> set[str]:
    """The string methods and the classes in patterns by which a module asks what a character is."""
    found = set()
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if isinstance(node.func.value, ast.Name) and node.func.value.id == "re":
            patterns = [argument.value for argument in node.args[:1] if isinstance(argument, ast.Constant)]
            found |= {pattern for pattern in patterns if any(sign in pattern for sign in (r"\w", r"\W", r"\d", r"\b"))}
        elif node.func.attr in GROWING and not node.args:
            found.add(node.func.attr)
    return found


def test_what_a_page_says_does_not_change_with_the_tables_of_unicode() -> None:
    folders = [PACKAGE / "board", PACKAGE / "formats"]
    modules = [module for folder in folders for module in folder.glob("*.py")]
    modules += [module for module in (PACKAGE / "formats").glob("*/*.py") if module.name in ON_A_PAGE]
    asking = {module.relative_to(PACKAGE).as_posix(): asks_growing_tables(module) for module in modules}
    assert {name: asked for name, asked in asking.items() if asked and name not in ASCII_ONLY} == {}
