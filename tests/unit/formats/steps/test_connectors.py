"""What a tool's name says, and which tool is meant."""

from typing import Any

import pytest

from circuit_export.formats.steps.connectors import (
    Effect,
    bind,
    display,
    effect,
    effect_of_name,
    names_in,
    services,
    split,
    suggest,
    uses,
    writes,
)
from circuit_export.formats.steps.document import Step


def a_step(tool: Any, type: str = "tool.call", index: int = 0, **config: Any) -> Step:
    return Step(index, f"s{index}", type, "S", {"tool": tool, **config})


@pytest.mark.parametrize(
    ("name", "service", "action"),
    [
        ("Gmail:search_threads", "Gmail", "search_threads"),
        ("a:b:c", "a", "b:c"),
        ("a.b:c", "a.b", "c"),
        ("chat.postMessage", "chat", "postMessage"),
        ("a.b.c", "a", "b.c"),
        ("refund", "", "refund"),
        ("", "", ""),
    ],
)
def test_a_name_is_split_at_the_first_colon_else_the_first_full_stop(name: str, service: str, action: str) -> None:
    assert split(name) == (service, action)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Google_Calendar:list_events", "Google Calendar · list events"),
        ("Slack:chat.postMessage", "Slack · chat post message"),
        ("Drive:getURLList", "Drive · get url list"),
        ("refund", "refund"),
        ("日本:検索", "日本 · 検索"),
        ("Gmail:संदेश_भेजें", "Gmail · संदेश भेजें"),
        ("Почта:НайтиПисьма—все", "Почта · найтиписьма все"),
        ("Новое:\U0001e030\U0001e031", "Новое · \U0001e030\U0001e031"),  # newer than the oldest Python's tables
        ("Gmail:", "Gmail · "),
    ],
)
def test_a_name_is_shown_in_words(name: str, shown: str) -> None:
    assert display(name) == shown


@pytest.mark.parametrize(
    "name",
    [
        "sendMessage",
        "chat.postMessage",
        "read_and_delete",
        "get_or_create_lead",
        "DB:execute_sql",
        "Stripe:refund",
        "List:unsubscribe",
        "Gmail:SEND_MAIL",
        "Gmail:label-thread",
        "CRM:Upsert Then Save",
        "x:{{input.kind}}_delete",
        "a.b.c.update",
    ],
)
def test_writing_names(name: str) -> None:
    assert effect_of_name(name) is Effect.WRITES


@pytest.mark.parametrize(
    "name", ["Gmail:search_threads", "getURLList", "Drive:list_labels", "Xero:list_payments", "CRM:lookup contact"]
)
def test_reading_names(name: str) -> None:
    assert effect_of_name(name) is Effect.READS


@pytest.mark.parametrize(
    "name", ["", "Gmail:", "Search:for", "CRM:address_book_sync1x", "{{input.get}}", "x:{{list}}_list"]
)
def test_names_that_say_neither(name: str) -> None:
    assert effect_of_name(name) in (Effect.UNKNOWN, Effect.WRITES) and effect_of_name(name) is not Effect.READS


def test_a_service_says_nothing_about_the_effect() -> None:
    assert effect_of_name("Send:list_things") is Effect.READS


def test_declared_writes_decide() -> None:
    assert effect(a_step("Gmail:list", writes=True)) is Effect.WRITES
    assert effect(a_step("Gmail:send", writes=False)) is Effect.READS
    assert effect(a_step("Gmail:send", writes="no")) is Effect.WRITES
    assert effect(a_step(7)) is Effect.UNKNOWN
    assert effect(a_step("Gmail:send", type="note.say")) is Effect.READS
    assert effect(a_step("Inbox:watch", type="trigger.watch")) is Effect.UNKNOWN


def test_what_is_not_known_to_only_read_counts_as_a_write() -> None:
    assert writes(a_step("Search:for"))
    assert not writes(a_step("Search:for", writes=False))


def test_uses_are_in_the_order_of_first_mention() -> None:
    steps = [a_step("B:x", index=0), a_step("A:y", index=1), a_step("B:x", index=2), a_step("", index=3)]
    assert uses(steps) == (("B:x", (0, 2)), ("A:y", (1,)))
    assert services(steps) == ["B", "A"]


def test_binding_ignores_case_and_all_but_letters_and_digits() -> None:
    names = ["gmail:search-threads", "Slack:send_message"]
    assert bind("Gmail:SearchThreads", names) == "gmail:search-threads"
    assert bind("Gmail:search_thread", names) is None


def test_suggestions() -> None:
    names = ["Gmail:search_messages", "Gmail:search_threads", "Slack:search_threads", "Outlook:find"]
    assert suggest("Gmail:search_thread", names) == "Gmail:search_threads"
    assert suggest("gmail:serach_threads", names) == "Gmail:search_threads"
    assert suggest("Slackk:search_threads", ["Slack:search_threads"]) == "Slack:search_threads"
    assert suggest("Stripe:charge", names) is None
    assert suggest("Gmail:xyz", ["Gmail:abc"]) is None
    assert suggest("send_message", ["post_letter"]) is None
    assert suggest("x", []) is None


def test_the_first_of_equals_is_suggested() -> None:
    assert suggest("A:get_item", ["A:get_items", "A:get-items"]) == "A:get_items"


def test_binding_files() -> None:
    assert names_in(["a", {"name": "b", "hint": "h"}]) == ("a", "b")
    assert names_in({"tools": ["a"]}) == ("a",)
    for wrong in (None, "a", {}, {"tools": "a"}, [1], [{"hint": "x"}]):
        assert names_in(wrong) is None
