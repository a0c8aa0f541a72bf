"""What other commands say in passing: the loader's and the rules' findings, at little cost."""

import subprocess
import sys

from circuit_export.definition import Definition
from circuit_export.formats.steps import document
from circuit_export.formats.steps.rules import rule
from circuit_export.validation.check import quick_findings

HEAVY = ("jsonschema", "pathspec", "re2", "cronsim", "tomllib", "bs4", "mcp")


def test_quick_findings_have_places_and_the_worst_first() -> None:
    text = rule("unknown_wire_target").bad.replace('"When asked"', '"When asked", "colour": 1')
    found = quick_findings(document.load(Definition(text, "steps", "x.json")))
    assert [(one.code, one.file, one.start.line if one.start else 0) for one in found] == [
        ("C201", "x.json", 2),
        ("C103", "x.json", 2),
    ]


def test_quick_findings_import_nothing_heavy() -> None:
    program = (
        "import sys\n"
        "from circuit_export.definition import Definition\n"
        "from circuit_export.formats.steps import document\n"
        "from circuit_export.validation.check import quick_findings\n"
        "quick_findings(document.load(Definition(sys.stdin.read(), 'steps', 'x.json')))\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=rule("blind_gate").bad, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
