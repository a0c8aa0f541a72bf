"""Seals, digests and new secrets. That a seal is opened as it was, and only then, is a law."""

import pytest

from circuit_export.server.auth.seals import Seals, new_secret

SEALS = Seals("a secret")


@pytest.mark.parametrize("text", ["", ".", "..", "e30", "e30.", ".e30", "W10.W10", "\ud800.\ud800", "a" * 100_000])
def test_what_nobody_sealed_is_not_opened(text: str) -> None:
    assert SEALS.opened("one", text) is None


def test_a_digest_is_of_one_secret_and_purpose() -> None:
    digests = {seals.digest(kind, "s") for seals in (SEALS, Seals("other")) for kind in ("code", "access")}
    assert len(digests) == 4
    assert all(len(digest) == 64 for digest in digests)


def test_secrets_are_new_and_say_what_they_are() -> None:
    assert len({new_secret("at") for _ in range(100)}) == 100
    assert new_secret("at").startswith("circuit_at_")
    assert len(new_secret("at")) == len("circuit_at_") + 43
