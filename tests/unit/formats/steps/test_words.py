"""Paths, conditions, values and policies in plain English."""

from typing import Any

import pytest

from circuit_export.formats.steps.document import OnError
from circuit_export.formats.steps.words import (
    condition,
    conditions,
    filled,
    path_words,
    policy,
    quoted,
    shortened,
    value_words,
)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("trigger", "the trigger"),
        ("trigger.mail.daysOverdue", "mail days overdue from the trigger"),
        ("trigger.threads.length", "the number of threads from the trigger"),
        ("item", "the item"),
        ("item.customer_name", "the item's customer name"),
        ("item.length", "the number of entries from the item"),
        ("input.tone", "the given tone"),
        ("steps.read", "the result of read"),
        ("steps.read.items.0.name", "items 0 name from read"),
        ("{{ item.from }}", "the item's from"),
        ("steps", "steps"),
        ("input", "input"),
        ("elsewhere.x", "elsewhere.x"),
        ("", ""),
    ],
)
def test_paths(path: str, words: str) -> None:
    assert path_words(path) == words


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ({"field": "item.total", "op": "gt", "value": 20}, "the item's total is more than 20"),
        (
            {"field": "item.total", "op": "lt", "value": "{{input.most}}"},
            "the item's total is less than the given most",
        ),
        ({"field": "item.tags", "op": "contains", "value": "VIP"}, "the item's tags contains “VIP”"),
        ({"field": "item.a", "op": "equals", "value": None}, "the item's a is nothing"),
        ({"field": "item.a", "op": "matches", "value": "^x"}, "the item's a matches “^x”"),
        ({"field": "item.a", "op": "missing", "value": "ignored"}, "the item's a is missing"),
        ({"field": "item.a", "op": "resembles", "value": "x"}, "the item's a resembles “x”"),
        ({"op": "exists"}, "something unnamed is there"),
        (7, "something that is no condition"),
    ],
)
def test_conditions(item: Any, words: str) -> None:
    assert condition(item) == words


def test_conditions_together() -> None:
    a, b, c = ({"field": f"item.{name}", "op": "exists"} for name in "abc")
    assert conditions({"all": [a, b]}) == "the item's a is there and the item's b is there"
    assert conditions({"any": [a, b]}) == "the item's a is there or the item's b is there"
    both = conditions({"all": [a], "any": [b, c]})
    assert both == "the item's a is there, and either the item's b is there or the item's c is there"


def test_small_words() -> None:
    assert quoted("say “hi”") == "“say ‘hi’”"
    assert value_words(["a", 1, True, None]) == "“a”, 1, true or nothing"
    assert filled("{{a.b}} and {{ c }} and {{d") == "‹b› and ‹c› and {{d"


def test_long_texts_end_at_a_word() -> None:
    assert shortened("one two three", 10) == "one two…"
    assert shortened("x" * 20, 10) == "x" * 9 + "…"
    assert shortened("one\n  two", 10) == "one two"
    assert len(shortened("word " * 100_000)) <= 90


@pytest.mark.parametrize(
    ("on_error", "sentence"),
    [
        (OnError("stop"), "If it fails, the run stops."),
        (OnError("skip"), "If it fails, this way ends here and the run carries on."),
        (OnError("retry", 1), "If it fails, it is tried once before the run stops."),
        (OnError("retry", 2), "If it fails, it is tried twice in all before the run stops."),
        (OnError("retry", 5), "If it fails, it is tried 5 times in all before the run stops."),
        (OnError("route", 2, "oops"), "If it fails, the run goes on by the port “oops”."),
    ],
)
def test_error_policies(on_error: OnError, sentence: str) -> None:
    assert policy(on_error) == sentence
