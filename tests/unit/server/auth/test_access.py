"""What the environment says about who may come in."""

import pytest

from circuit_export.diagnostics import UsageError
from circuit_export.server.auth.access import OAUTH, OPEN, TOKEN, Access, Token, access_of, tokens_of


def test_nothing_said_is_open() -> None:
    assert access_of({}) == Access()
    assert access_of({"CIRCUIT_OWNER_KEY": "  ", "CIRCUIT_TOKENS": ""}).kind == OPEN


def test_a_key_is_trimmed_and_goes_before_tokens() -> None:
    access = access_of(
        {"CIRCUIT_OWNER_KEY": " a key of some length \n", "CIRCUIT_TOKENS": "ws=t", "CIRCUIT_SECRET": "s"}
    )
    assert access == Access("a key of some length", "s", (Token("ws", "t"),))
    assert access.kind == OAUTH
    assert access.warnings == ("CIRCUIT_TOKENS counts for nothing: CIRCUIT_OWNER_KEY is set.",)


def test_tokens_open_workspaces() -> None:
    access = access_of({"CIRCUIT_TOKENS": "team=one=two, other = three,team=four,"})
    assert access.kind == TOKEN
    assert access.tokens == (Token("team", "one=two"), Token("other", "three"), Token("team", "four"))
    assert access.workspaces == ("team", "other")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a=s3cret,s3cret", "entry 2: no workspace"),
        ("=s3cret", "entry 1: no workspace"),
        ("team=", "entry 1: no workspace"),
        ("a=s3cret,b=s3cret", "entry 2: a token that an earlier entry has"),
        ("a\x07b=s3cret", "entry 1: a workspace"),
        ("a=x,b=s3cret\ns3cret", "entry 2: a token with blanks"),
        ("a=s3cret é", "entry 1: a token with blanks"),
        ("w" * 201 + "=s3cret", "entry 1: a workspace"),
    ],
)
def test_tokens_that_cannot_be_read_are_said_and_not_shown(text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        tokens_of(text)
    assert said in caught.value.block()
    assert "s3cret" not in caught.value.block()


def test_what_had_better_be_known() -> None:
    (short,) = access_of({"CIRCUIT_OWNER_KEY": "short"}).warnings
    assert "short" in short
    (short,) = access_of({"CIRCUIT_TOKENS": f"a=x,b={'y' * 16},c=z,c=w"}).warnings
    assert "The token of “a” and “c” is short" in short
    assert access_of({"CIRCUIT_TOKENS": f"a={'y' * 16}"}).warnings == ()
    assert "CIRCUIT_SECRET counts for nothing" in access_of({"CIRCUIT_SECRET": "s"}).warnings[0]


def test_no_secret_is_in_what_is_printed_of_it() -> None:
    access = Access("s3cret", "s3cret", (Token("ws", "s3cret"),))
    assert "s3cret" not in f"{access} {access!r} {access.tokens!r}"
