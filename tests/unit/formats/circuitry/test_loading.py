"""Texts of nested programs: read as strict UTF-8 within a limit, or why not."""

from pathlib import Path

import pytest

from circuit_export.formats.circuitry.engine.failures import Failure
from circuit_export.formats.circuitry.loading import read_source


@pytest.mark.parametrize(
    ("data", "limit", "found"),
    [
        (b"out 1", 5, "out 1"),
        (b"out 1", 4, "source.limit"),
        (b"out 1\r\n", 100, "out 1\r\n"),
        ("é".encode(), 2, "é"),
        ("é".encode(), 1, "source.limit"),
        ("\ufeffout 1".encode(), 100, "out 1"),  # as the main program is read: what is checked is what is run
        (b"out \xff", 100, "source.read"),
        (b"", 1, ""),
    ],
)
def test_a_file_is_read_within_its_limit(tmp_path: Path, data: bytes, limit: int, found: str) -> None:
    path = tmp_path / "leaf.kdl"
    path.write_bytes(data)
    text = read_source(str(path), limit)
    assert (text.code if isinstance(text, Failure) else text) == found
    if found != "source.read":  # and so is a text that came with the program, whatever lies there
        path.unlink()
        text = read_source(str(path), limit, {str(path): data.decode()})
        assert (text.code if isinstance(text, Failure) else text) == found


def test_what_is_no_file_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "gone.kdl", tmp_path / "a\0b"):
        found = read_source(str(path), 10)
        assert isinstance(found, Failure)
        assert found.code == "source.read"
