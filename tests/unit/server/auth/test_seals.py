"""What is sealed is opened by who has the secret, for what it was sealed for, and as it was."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from circuit_export.server.auth.seals import Seals, new_secret, same

SEALS = Seals("a secret")
TEXTS = st.text(max_size=20)


@given(st.lists(TEXTS | st.integers(), max_size=4))
@settings(max_examples=50, deadline=None)
def test_it_opens_as_it_was(value: list[object]) -> None:
    text = SEALS.seal("one", value)
    assert text.isascii()
    assert SEALS.opened("one", text) == value
    assert Seals("a secret").opened("one", text) == value
    assert SEALS.opened("two", text) is None
    assert Seals("a secret ").opened("one", text) is None


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_not_with_any_character_changed(data: st.DataObject) -> None:
    text = SEALS.seal("one", ["client", "https://a.example/back"])
    place = data.draw(st.integers(0, len(text) - 1))
    sign = data.draw(st.sampled_from("AB-_.=z9é\ud800 "))
    changed = text[:place] + sign + text[place + 1 :]
    assert changed == text or SEALS.opened("one", changed) is None


@pytest.mark.parametrize("text", ["", ".", "..", "e30", "e30.", ".e30", "W10.W10", "\ud800.\ud800", "a" * 100_000])
def test_not_what_nobody_sealed(text: str) -> None:
    assert SEALS.opened("one", text) is None


def test_a_digest_is_of_one_secret_and_purpose() -> None:
    digests = {seals.digest(kind, "s") for seals in (SEALS, Seals("other")) for kind in ("code", "access")}
    assert len(digests) == 4
    assert all(len(digest) == 64 for digest in digests)


def test_secrets_are_new_and_say_what_they_are() -> None:
    assert len({new_secret("at") for _ in range(100)}) == 100
    assert new_secret("at").startswith("circuit_at_")
    assert len(new_secret("at")) == len("circuit_at_") + 43


@given(TEXTS, TEXTS)
@settings(max_examples=50, deadline=None)
def test_the_same_is_the_same(one: str, other: str) -> None:
    assert same(one, other) == (one == other)
    assert same(one, one)
