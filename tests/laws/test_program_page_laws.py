"""A program becomes a page and comes back byte for byte, with the programs that it runs; its board is well drawn."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.circuitry import names, vector
from support.drawings import counted, faults, geometry

from circuit_export import api, formats
from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError
from circuit_export.formats.circuitry import FORMAT
from circuit_export.validation.suggest import suggest

ROOT = Path(__file__).parents[2]
PROGRAMS = [
    path
    for path in sorted((ROOT / "examples" / "programs").iterdir())
    if path.suffix in FORMAT.suffixes and formats.recognise(path.read_text("utf-8"))
]
some = settings(max_examples=60, deadline=None)

ODD = ["</pre>", "<!--", "]]>", "&amp;", "\t", "é", "日本", "\U0001f9ea", "<img src=x onerror=1>", "{", "`", "/*"]
# What ends a line of KDL, or may not be in it, is not in its comments.
plain = st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Zl", "Zp"])
comments = st.lists(st.sampled_from(ODD) | st.text(plain, max_size=5)).map(" ".join)
prose = st.text(st.characters(codec="utf-8", exclude_characters="\0")) | comments


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Texts of programs: any line ends, any comments, with and without Markdown and an end of line at their end."""
    lines = [f"// {draw(comments)}"] if draw(st.booleans()) else []
    lines.append("in { n $n }" if draw(st.booleans()) else "")
    for at in range(draw(st.integers(0, 4))):
        source = draw(st.sampled_from(["run", "", "inner.kdl", "../up.md", "/abs.kdl"]))
        lines.append(f'c{at} source="{source}" {{ out $x{at} }} // {draw(comments)}')
    lines += [draw(st.sampled_from(["", "\t", "  "])), "out 1"]
    if draw(st.booleans()):
        lines = ["---", *lines, "---", f"# {draw(comments)}", draw(prose), "", draw(prose)]
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return end.join(lines) + draw(st.sampled_from(["", "\n", "\r\n", "\n\n"]))


def workflow(text: str) -> api.Workflow:
    return api.opened(Definition(text, "circuitry", "a.kdl"), api.nowhere)


@some
@given(programs())
def test_what_is_restored_is_what_was_exported(text: str) -> None:
    page = api.export_page(workflow(text))
    back = api.restore(page.encode())
    assert (back.bundle.main.text, back.bundle.main.format, back.digest.value) == (text, "circuitry", "matches")
    assert "<script" not in page.lower()
    assert "<img" not in page.lower()


@some
@given(programs(), st.booleans())
def test_a_file_is_read_as_it_is_but_for_the_mark_at_its_start(text: str, marked: bool) -> None:
    data = text.encode()
    found = api.loads(b"\xef\xbb\xbf" + data if marked else data, path="a.kdl")
    assert (found.definition.text, found.definition.format) == (text, "circuitry")


@some
@given(programs())
def test_a_page_of_any_program_is_the_same_every_time(text: str) -> None:
    assert api.export_page(workflow(text)) == api.export_page(workflow(text))


@pytest.mark.parametrize("name", [name for name in names() if not name.startswith("bad-kdl")])
def test_the_board_of_a_vector_is_well_drawn(name: str, tmp_path: Path) -> None:
    board = FORMAT.picture(FORMAT.load(Definition(vector(name).text, "circuitry", "p.kdl")), {})
    assert faults(geometry(board, tmp_path)) == {}


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_an_example_is_drawn_in_every_way(path: Path, tmp_path: Path) -> None:
    found = api.load(path)
    text = path.read_bytes().decode()
    for theme in api.theme_names():
        page = api.export_page(found, theme=theme)
        assert 'data-format="circuitry"' in page
        assert api.restore(page).bundle.main.text == text
    assert api.export_svg(found).startswith("<")
    assert "flowchart" in api.export_mermaid(found)
    assert (found.missing, api.findings(found)) == ((), ())
    assert faults(counted(api.export_page(found), tmp_path)) == {}


def test_the_same_bytes_in_another_process() -> None:
    code = (
        "import sys; from circuit_export import api; "
        "sys.stdout.buffer.write(api.export_page(api.load(sys.argv[1])).encode())"
    )
    for path in PROGRAMS:
        ended = subprocess.run(
            [sys.executable, "-c", code, str(path)],
            capture_output=True,
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": "7"},
        )
        assert ended.stdout.decode("utf-8") == api.export_page(api.load(path))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(names()), st.data())
def test_a_damaged_program_is_drawn_and_judged_or_said_to_be_none(name: str, data: st.DataObject) -> None:
    text = vector(name).text
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        put = data.draw(st.sampled_from(['"', "{", "}", "$", "?x", "@", "#", "/-", "1e999", "\r", "source=", ";"]))
        text = text[:at] + put + text[at + data.draw(st.integers(0, 6)) :]
    try:
        found = workflow(text)
    except CircuitError as error:
        assert error.code == "C801"
        return
    assert api.restore(api.export_page(found)).bundle.main.text == text
    for one in api.findings(found):
        assert one.start is None or one.start.line <= text.count("\n") + 1
    if found.document.is_valid:  # type: ignore[attr-defined]
        machine = found.engine(200)
        suggest(machine, machine.proposer())
