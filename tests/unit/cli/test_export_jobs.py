"""File names for exports."""

import pytest

from circuit_export.cli.export import free_name
from circuit_export.cli.export_jobs import Options, fit_name, slug

HTML = Options("copper", "html", False)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("lead-intake", "lead-intake"),
        ("Lead intake (2)", "Lead-intake-2"),
        ("../../etc/passwd", "etc-passwd"),
        ("...", "workflow"),
        ("", "workflow"),
        ("con", "con-workflow"),
        ("COM1.backup", "COM1.backup-workflow"),
        ("فاتورة جديدة", "فاتورة-جديدة"),
        ("毎週の報告", "毎週の報告"),
        ("a\x00b\nc", "a-b-c"),
        ("x" * 300, "x" * 120),
    ],
)
def test_a_slug_is_a_file_name_everywhere(name: str, expected: str) -> None:
    assert slug(name) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("boards/lead-intake.json", "lead-intake.html"),
        ("C:\\boards\\lead.json", "lead.html"),
        ("https://example.com/a/lead.html?x=1#top", "lead.html"),
        ("-", "workflow.html"),
        ("noext", "noext.html"),
        ("dir/.json", ".json.html"[1:]),
    ],
)
def test_an_export_is_named_after_its_source(source: str, expected: str) -> None:
    assert fit_name(source, HTML) == expected


def test_names_that_differ_only_in_case_are_told_apart() -> None:
    assert free_name("Lead.html", {"lead.html", "lead-2.html"}) == "Lead-3.html"
