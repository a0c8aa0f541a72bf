"""Links of pages that show a file become the links of the file; all others stay as they are."""

import pytest

from circuit_export.restore.links import is_artifact, raw_url

RAW = "https://raw.githubusercontent.com"


@pytest.mark.parametrize(
    ("link", "raw"),
    [
        ("https://github.com/o/r/blob/main/a/board.html", f"{RAW}/o/r/main/a/board.html"),
        ("http://www.github.com/o/r/blob/main/board.html?plain=1#L3", f"{RAW}/o/r/main/board.html"),
        ("https://github.com/o/r/raw/v1/board.json", f"{RAW}/o/r/v1/board.json"),
        ("https://github.com/o/r/blob/main/a%20b.json", f"{RAW}/o/r/main/a%20b.json"),
        (
            "https://gist.github.com/me/0123456789abcdef0123",
            "https://gist.githubusercontent.com/me/0123456789abcdef0123/raw",
        ),
        (
            "https://gist.github.com/me/0123456789abcdef0123/" + "a" * 40,
            "https://gist.githubusercontent.com/me/0123456789abcdef0123/raw/" + "a" * 40,
        ),
        (
            "https://gitlab.com/g/sub/p/-/blob/main/x/board.json?ref_type=heads",
            "https://gitlab.com/g/sub/p/-/raw/main/x/board.json",
        ),
        ("https://bitbucket.org/t/r/src/main/board.json", "https://bitbucket.org/t/r/raw/main/board.json"),
        ("https://codeberg.org/o/r/src/branch/main/board.json", "https://codeberg.org/o/r/raw/branch/main/board.json"),
        ("https://pastebin.com/AbCd1234", "https://pastebin.com/raw/AbCd1234"),
        ("https://www.dropbox.com/s/abc/board.html?dl=0", "https://dropbox.com/s/abc/board.html?dl=1"),
    ],
)
def test_the_page_of_a_file_becomes_the_file(link: str, raw: str) -> None:
    assert raw_url(link) == raw
    assert raw_url(raw) == raw


@pytest.mark.parametrize(
    "link",
    [
        "https://github.com/o/r",
        "https://github.com/o/r/tree/main/a",
        "https://github.com/o/r/blob/main",
        "https://gist.github.com/me",
        "https://example.org/o/r/blob/main/x",
        "https://github.com.example.org/o/r/blob/main/x",
        "https://github.com:8443/o/r/blob/main/x",
        "ftp://github.com/o/r/blob/main/x",
        "http://[::1",
        "github.com/o/r/blob/main/x",
        "",
    ],
)
def test_other_links_stay(link: str) -> None:
    assert raw_url(link) == link


@pytest.mark.parametrize(
    ("link", "artifact"),
    [
        ("https://claude.ai/public/artifacts/abc", True),
        ("https://claude.ai/artifacts/abc", True),
        ("https://claude.site/artifacts/abc", True),
        ("https://claude.ai/login", False),
        ("https://example.org/public/artifacts/abc", False),
        ("http://[", False),
    ],
)
def test_artifacts_are_known(link: str, artifact: bool) -> None:
    assert is_artifact(link) is artifact
