"""A page as its words alone: what fits its digest is the definition, and nothing else is."""

from hashlib import sha256

import pytest

from circuit_export import api
from circuit_export.restore.pasted import Pasted, pasted

TEXT = "// A program.\nout {\n  x 1\n}\n"


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def words(text: str = TEXT, lead: str = "The definition\n", foot: str = "", shown: str | None = None) -> str:
    return f"Put it back to work\n\n{lead}{digest(text)}\n\n{text if shown is None else shown}{foot}"


@pytest.mark.parametrize(
    "foot", ["", "\n", "\n\nMade with circuit-export. No scripts.\n", "\nMade with circuit-export."]
)
@pytest.mark.parametrize("lead", ["The definition\n", "The definition ", "The definition\n\n", ""])
@pytest.mark.parametrize("text", [TEXT, TEXT.rstrip(), f"{TEXT}\n", f"\n{TEXT}", "out 1\r\n"])
def test_a_text_that_fits_its_digest_is_found(text: str, lead: str, foot: str) -> None:
    assert list(pasted(words(text, lead, foot, shown=text.replace("\r\n", "\n")))) == [Pasted(text)]


def test_what_does_not_fit_is_none() -> None:
    assert list(pasted(words(shown=TEXT.replace("1", "2")))) == []
    assert list(pasted("no digest\n")) == []
    assert list(pasted(digest(""))) == [Pasted("")]


def test_what_a_program_needs_follows_with_its_path() -> None:
    inner = "out 2\n"
    text = words(foot=f"\nIt needs parts/inner.kdl\n{digest(inner)}\n\n{inner}\nMade with circuit-export. Yes.\n")
    assert list(pasted(text)) == [Pasted(TEXT), Pasted(inner, "parts/inner.kdl")]
    one_line = words(foot=f"\nIt needs inner.kdl {digest(inner)}\n{inner}")
    assert list(pasted(one_line)) == [Pasted(TEXT), Pasted(inner, "inner.kdl")]


def test_the_words_of_a_page_give_back_its_program() -> None:
    inner = "out 2\n"
    text = words(foot=f"\nIt needs ../x.kdl\n{digest(inner)}\n{inner}\nIt needs y.kdl\n{digest(inner)}\n{inner}")
    found = api.restore(text)
    assert (found.bundle.main.text, found.digest.value, found.route) == (TEXT, "matches", ("the words of a page",))
    assert [other.path for other in found.bundle.others] == ["y.kdl"]
    windows = api.restore(text.replace("\n", "\r\n"))
    assert windows.bundle.main.text == TEXT


def test_many_digests_are_looked_at_in_bounded_work() -> None:
    assert list(pasted(f"{'0' * 64}\n" * 5_000)) == []
