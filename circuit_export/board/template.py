"""The page's templates: compiled when the wheel was built, or from their source where that does not match."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import jinja2

FOLDER: Final = Path(__file__).parent / "templates"
NAMES: Final = ("page.html.j2", "gallery.html.j2", "run.html.j2")
COMPILED: Final = "circuit_export.board.templates._compiled"


# What templates are given is HTML already (`markup.escape`): Jinja's own escaping would take half of the page's time,
# value by value.
_OPTIONS: Final[dict[str, bool]] = {
    "autoescape": False,
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
}


@cache
def environment() -> jinja2.Environment:
    """How templates are read; no name may be missing."""
    return jinja2.Environment(undefined=jinja2.StrictUndefined, cache_size=0, **_OPTIONS)  # type: ignore[arg-type]  # noqa: S701


def fingerprint(source: str) -> str:
    """What a compiled template must have been made from to be used: this source, these options, this Jinja."""
    return sha256(f"{jinja2.__version__}\n{_OPTIONS}\n{source}".encode()).hexdigest()


@cache
def template(name: str) -> jinja2.Template:
    """The template called `name`, one of NAMES."""
    source = (FOLDER / name).read_text("utf-8")
    return _compiled(name, fingerprint(source)) or environment().from_string(source)


def compiled_module(sources: dict[str, str]) -> str:
    """The Python module that holds `sources` (name → text) compiled, as the build writes it."""
    parts = [
        '# mypy: ignore-errors\n"""Made by the build from the templates beside it; not kept in the repository."""\n'
    ]
    for number, (name, source) in enumerate(sources.items()):
        code = environment().compile(source, name=name, filename=name, raw=True, defer_init=True)
        body = "".join(f"    {line}\n" if line else "\n" for line in code.splitlines())
        parts.append(f"\n\ndef _{number}(environment):\n{body}    return locals()\n")
    entries = "".join(
        f"    {name!r}: ({fingerprint(source)!r}, _{number}),\n"
        for number, (name, source) in enumerate(sources.items())
    )
    parts.append(f"\n\nTEMPLATES = {{\n{entries}}}\n")
    return "".join(parts)


def _compiled(name: str, wanted: str) -> jinja2.Template | None:
    """The compiled template, None when there is none or it was made from something else."""
    try:
        module: ModuleType = import_module(COMPILED)
    except ImportError:
        return None
    made_from, make = module.TEMPLATES.get(name, ("", None))
    if made_from != wanted:
        return None
    namespace: dict[str, Any] = make(environment())
    return jinja2.Template.from_module_dict(environment(), {**namespace, "__file__": name}, environment().globals)
