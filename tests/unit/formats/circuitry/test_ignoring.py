"""What a program asks to leave out: in comments alone, for a call or for the whole of it."""

import pytest

from circuit_export.definition import Definition
from circuit_export.formats.circuitry.document import load
from circuit_export.formats.circuitry.ignoring import ignored


def asked(text: str) -> list[tuple[str, str, str, int]]:
    found = ignored(load(Definition(text, "circuitry", "a.kdl")))
    return [(one.word, one.reason, one.step, one.start.line) for one in found]


CALLS = """a source="run" {
  // circuit: ignore C841 inside
  out $x
}

// circuit: ignore C842 above
// more
b {X}
out $x
"""


def test_a_comment_in_a_call_behind_it_or_right_above_it_is_about_that_call() -> None:
    text = CALLS.replace("{X}", 'source="run" { out $y } // circuit: ignore unread-name beside')
    assert asked(text) == [
        ("C841", "inside", "a", 2),
        ("C842", "above", "b", 6),
        ("unread-name", "beside", "b", 8),
    ]


def test_any_other_comment_is_about_the_whole_program() -> None:
    text = '// circuit: ignore C841 all of it\n\na source="run" { out $x }\nout $x\n// circuit: ignore C842\n'
    assert asked(text) == [("C841", "all of it", "", 1), ("C842", "", "", 5)]


@pytest.mark.parametrize(
    "string",
    [
        '"// circuit: ignore C841 why"',
        r'"a \" // circuit: ignore C841 why"',
        '#"a " // circuit: ignore C841 why"#',
        '"""\n  // circuit: ignore C841 why\n  """',
        '#"""\n  // circuit: ignore C841 why\n  """#',
        '/* // circuit: ignore C841 why */ "x"',
    ],
)
def test_what_stands_in_a_string_is_no_comment(string: str) -> None:
    assert asked(f'a source="run" {string} {{ out $x }}\nout $x\n') == []
    assert asked(f'a source="run" {string} {{ out $x }}\nout $x // circuit: ignore C841 why\n') != []


def test_markdown_has_its_own_comments() -> None:
    text = (
        '---\nout "@A"\n---\n<!-- circuit: ignore unused-section it is for readers -->\n# A\n// circuit: ignore C841\n'
    )
    assert asked(text) == [("unused-section", "it is for readers", "", 4)]
