"""The README's table of environment variables has every one that the code reads, and no other."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from support.readme import README

PACKAGE = README.parent / "circuit_export"


def names_read(module: Path) -> Iterator[str]:
    """The variables that a module reads: of os.environ, with os.getenv, or of a mapping called environment."""
    tree = ast.parse(module.read_text("utf-8"))
    constants = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        asked: ast.expr | None = None
        if isinstance(node, ast.Call) and node.args:
            called = ast.unparse(node.func)
            if called in ("os.getenv", "os.environ.get", "os.environ.pop", "os.environ.setdefault", "environment.get"):
                asked = node.args[0]
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value) in ("os.environ", "environment"):
            asked = node.slice
        elif isinstance(node, ast.Compare) and ast.unparse(node.comparators[-1]) in ("os.environ", "environment"):
            asked = node.left
        elif isinstance(node, ast.keyword) and node.arg == "envvar":
            asked = node.value
        if asked is None:
            continue
        name = constants.get(asked.id) if isinstance(asked, ast.Name) else getattr(asked, "value", None)
        assert isinstance(name, str), f"{module}:{asked.lineno}: it cannot be seen which variable is read"
        yield name


def test_the_table_has_every_variable_that_is_read() -> None:
    read = {name for module in PACKAGE.rglob("*.py") for name in names_read(module)}
    table = README.read_text("utf-8").split("| variable | meaning | default |")[1].split("\n\n")[0]
    rows = [line.split(" | ")[0] for line in table.splitlines()[2:]]
    said = [name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)]
    assert len(said) == len(set(said))
    assert set(said) == read


def test_no_other_table_has_some_of_them() -> None:
    assert README.read_text("utf-8").count("| variable |") == 1
