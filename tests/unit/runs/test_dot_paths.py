"""Dot paths: reading and writing."""

import copy

import pytest

from circuit_export.runs.dot_paths import MISSING, Unwritable, look_up, write

DATA = {
    "steps": {"a": {"list": [1, {"deep": None}], "text": "häé🙂", "length": 7, "": "empty"}},
    "0": "zero",
    "item": "word",
    "null": None,
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("steps.a.list.0", 1),
        ("steps.a.list.1.deep", None),
        ("steps.a.list.length", 2),
        ("steps.a.text.length", 5),
        ("steps.a.length", 7),
        ("item.length", 4),
        ("0", "zero"),
        ("null", None),
        ("steps.a.", "empty"),
    ],
)
def test_what_is_there_is_found(path, value):
    assert look_up(DATA, path) == value


@pytest.mark.parametrize(
    "path",
    ["", "nothing", "steps.b", "steps.a.list.2", "steps.a.list.-1", "steps.a.list.01", "steps.a.list.x", "item.0",
     "null.x", "item.length.length", "steps.a.list.٣", "steps.a.list.1e0"],
)  # fmt: skip
def test_what_is_not_there_is_missing(path):
    assert look_up(DATA, path) is MISSING


@pytest.mark.parametrize(
    "path", ["steps.a.text", "steps.a.list.1.deep", "steps.a.list.0", "steps.new.x.y", "item", "null.x"]
)
def test_a_value_is_written_and_the_original_stays(path):
    before = copy.deepcopy(DATA)
    written = write(DATA, path, "new")
    assert look_up(written, path) == "new"
    assert before == DATA


def test_what_is_not_written_is_shared():
    written = write(DATA, "steps.a.text", "new")
    assert written["steps"]["a"]["list"] is DATA["steps"]["a"]["list"]


@pytest.mark.parametrize(
    "path",
    ["item.x", "steps.a.text.x", "steps.a.list.2", "steps.a.list.length", "steps.a.list.5.x", "steps.a.list.0.x"],
)
def test_what_cannot_be_written_is_said(path):
    with pytest.raises(Unwritable):
        write(DATA, path, "new")
