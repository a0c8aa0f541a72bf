"""What is found in a source, in what order of trust, and what is said about it."""

import gzip
import html
import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from circuit_export.diagnostics import CircuitError
from circuit_export.restore import Digest, Found, find, single

PUBLIC = Path(__file__).resolve().parents[4] / "shared/conformance/steps/pages"


def recognise(text: str) -> str | None:
    if text.startswith("(program)"):
        return "program"
    if not text.lstrip().startswith("{"):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return "steps" if isinstance(value, dict) and "circuit" in value else None


def board(name: str, **more: object) -> str:
    return json.dumps({"circuit": 1, "name": name, "steps": [], **more}, indent=1, ensure_ascii=False) + "\n"


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def main(text: str, stated: str | None = None, format: str = "steps") -> str:
    hexes = digest(text) if stated is None else stated
    escaped = html.escape(text, quote=False)
    return f'<pre id="circuit-workflow" data-format="{format}" data-sha256="{hexes}">\n{escaped}</pre>'


def bundled(text: str, path: str, stated: str | None = None) -> str:
    hexes = digest(text) if stated is None else stated
    path = html.escape(path)
    return (
        f'<pre class="x circuit-bundled" data-path="{path}" data-format="steps" data-sha256="{hexes}">\n'
        f"{html.escape(text, quote=False)}</pre>"
    )


def only(source: str | bytes) -> Found:
    return single(find(source, recognise))


# --- blocks ------------------------------------------------------------------------------------------------------


def test_a_page_brings_its_bundle() -> None:
    found = only(f"<html>{main(board('a'))}\n{bundled(board('b'), 'flows/b.json')}{bundled(board('c'), 'c.json')}")
    assert found.bundle.main.text == board("a")
    assert [(other.path, other.text) for other in found.bundle.others] == [
        ("flows/b.json", board("b")),
        ("c.json", board("c")),
    ]
    assert (found.digest, found.notes, found.route) == (Digest.MATCHES, (), ("block circuit-workflow",))


@pytest.mark.parametrize("path", ["../up.json", "/etc/passwd", "C:\\x", "nul", "", "a\nb"])
def test_a_path_that_leads_elsewhere_is_left_out_and_said(path: str) -> None:
    found = only(main(board("a")) + bundled(board("b"), path) + bundled(board("c"), "c.json"))
    assert [other.path for other in found.bundle.others] == ["c.json"]
    assert "left out" in found.notes[0]
    assert "\n" not in found.notes[0]


def test_two_documents_with_one_path_are_said() -> None:
    found = only(main(board("a")) + bundled(board("b"), "b.json") + bundled(board("c"), "B.JSON"))
    assert [other.text for other in found.bundle.others] == [board("b")]
    assert "second" in found.notes[0]


def test_a_changed_text_is_restored_and_said() -> None:
    found = only(main(board("a"), "0" * 64) + bundled(board("b"), "b.json", "1" * 64))
    assert (found.bundle.main.text, found.digest) == (board("a"), Digest.DIFFERS)
    assert [note.partition(" is not")[0] for note in found.notes] == ["The workflow", "The bundled document “b.json”"]


def test_a_changed_text_that_does_not_parse_is_restored_as_it_is() -> None:
    text = board("a").replace("[]", "[,]")
    found = only(main(text, "0" * 64))
    assert (found.bundle.main.text, found.bundle.main.format, found.digest) == (text, "steps", Digest.DIFFERS)


def test_mending_is_said_even_when_the_digest_proves_it() -> None:
    found = only(main(board("a")).replace("\n ", "\n&nbsp;"))
    assert (found.bundle.main.text, found.digest) == (board("a"), Digest.MATCHES)
    assert "non-breaking spaces" in found.notes[0]


def test_mending_by_guess_is_said() -> None:
    page = re.sub(' data-sha256="[0-9a-f]+"', "", main(board("a\u00a0b"))).replace("\n ", "\n&nbsp;")
    found = only(page)
    assert (found.bundle.main.text, found.digest) == (board("a\u00a0b"), Digest.ABSENT)
    assert "by guess" in found.notes[0]


def test_a_block_in_an_unknown_format_is_kept_when_its_digest_holds() -> None:
    found = only(main("out 1\r\n", format="kdl").replace("\r", "&#13;"))
    assert (found.bundle.main.text, found.bundle.main.format) == ("out 1\r\n", "kdl")


def test_a_mention_of_the_block_is_none() -> None:
    text = 'It is in `<pre id="circuit-workflow">`, as the documentation says.\n'
    assert find(text, recognise).found == ()
    assert only(text + main(board("a"))).bundle.main.text == board("a")


def test_a_definition_that_holds_a_page_is_the_definition() -> None:
    text = board("a", page="<pre id='circuit-workflow'>" + board("inner") + "</pre>")
    assert only(text).bundle.main.text == text
    assert only(main(text)).bundle.main.text == text
    assert only(f"Look: {text}").bundle.main.text == text.rstrip()


def test_the_untouched_copy_wins_over_a_changed_wrapping() -> None:
    tag, _, rest = main(board("a")).partition(">")
    page = tag.replace('"', "'") + ">" + rest
    assert only(json.dumps({"html": page})).digest is Digest.MATCHES


def test_the_same_definition_twice_is_one() -> None:
    found = only(main(board("a"), "0" * 64) + main(board("a")) + bundled(board("b"), "b.json"))
    assert (found.digest, len(found.bundle.others)) == (Digest.MATCHES, 1)


def test_a_mail_with_a_page_and_its_text_has_one_definition() -> None:
    parts = {"text/plain": board("a").strip(), "text/html": main(board("a"))}
    mail = "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n" + "".join(
        f"--b\nContent-Type: {kind}\n\n{content}\n" for kind, content in parts.items()
    )
    found = only(mail + "--b--\n")
    assert (found.bundle.main.text, found.digest) == (board("a"), Digest.MATCHES)
    assert found.route == ("mail", "page", "block circuit-workflow")


def test_obscured_addresses_and_emoji_pictures_come_back() -> None:
    text = board("mail me@x.org 🙂")
    secret = bytes([0x2A, *(byte ^ 0x2A for byte in b"me@x.org")]).hex()
    page = main(text).replace(
        "me@x.org", f'<a href="/cdn-cgi/l/x" class="__cf_email__" data-cfemail="{secret}">[email&#160;protected]</a>'
    )
    page = page.replace("🙂", '<img draggable="false" class="emoji" alt="🙂" src="https://example.org/1f642.svg"/>')
    assert only(page).bundle.main.text == text


# --- text --------------------------------------------------------------------------------------------------------


def test_what_stands_in_prose_is_exactly_itself() -> None:
    text = board('a {b} \\" c').strip()
    assert only(f'He said "no {{" and {{ "x: {text}}} and so on: }}').bundle.main.text == text


@pytest.mark.parametrize(
    "paste",
    [
        "> Here:\n>\n> ```json\n{quoted}\n> ```\n> Done",
        "- item\n\n    ```json\n{indented}\n    ```\n",
        "~~~\n{text}\n~~~",
        "`````\n```\n{text}\n```\n`````",
        "```json\n{text}",
        "On Monday someone wrote:\n{quoted}\n",
    ],
)
def test_fences_and_quotations_are_taken_off(paste: str) -> None:
    text = board("a").strip()
    source = paste.replace("{quoted}", re.sub("(?m)^", "> ", text)).replace("{indented}", re.sub("(?m)^", "    ", text))
    assert only(source.replace("{text}", text)).bundle.main.text == text


def test_a_fenced_text_that_is_not_json_keeps_every_byte() -> None:
    assert only("Here:\n```\n(program) a\n\tb \n```\n").bundle.main.text == "(program) a\n\tb \n"


def test_what_a_person_retyped_is_mended_and_said() -> None:
    found = only(
        "So: " + board("a").replace('"name"', "“name”").replace(' "', " “").replace('":', "”:").replace('",', "”,")
    )
    assert json.loads(found.bundle.main.text)["name"] == "a"
    assert "Curly quotes" in found.notes[0]


def test_line_numbers_are_taken_off_and_said() -> None:
    lines = board("a").strip().split("\n")
    found = only("\n".join(f"{number} {line}" for number, line in enumerate(lines, 1)))
    assert (found.bundle.main.text, found.notes) == (board("a").strip(), ("Line numbers were taken off",))


def test_a_copied_page_is_settled_by_the_digest_it_shows() -> None:
    one, two = board("a"), board("b")
    source = f"The definition\n{digest(one)}\n{one}\nIt needs \u2068flows/b.json\u2069\n{digest(two)}\n{two}\n"
    found = only(source.replace("\n", "\r\n"))
    assert (found.bundle.main.text, found.digest) == (one, Digest.MATCHES)
    assert [(other.path, other.text) for other in found.bundle.others] == [("flows/b.json", two)]


def test_a_copied_page_cannot_name_a_path_elsewhere() -> None:
    one, two = board("a"), board("b")
    source = f"The definition {digest(one)}\n{one}\nIt needs ../b.json {digest(two)}\n{two}"
    assert len(find(source, recognise).found) == 2


def test_a_tool_result_of_a_conversation_is_opened() -> None:
    inner = json.dumps({"content": [{"type": "text", "text": "Saved:\n```json\n" + board("a") + "```"}]})
    outer = json.dumps([{"role": "user", "content": json.dumps({"result": inner})}])
    assert only(outer).bundle.main.text == board("a").strip()


def test_lone_surrogates_are_said() -> None:
    found = only('So: {"circuit": 1, "name": "\ud800"}')
    assert "surrogates" in found.notes[0]


# --- bytes -------------------------------------------------------------------------------------------------------


def test_json_has_line_feeds_and_other_formats_have_their_own() -> None:
    assert only(b"\xef\xbb\xbf" + board("a").replace("\n", "\r\n").encode()).bundle.main.text == board("a")
    assert only(b"(program)\r\na\r").bundle.main.text == "(program)\r\na\r"


def test_a_cut_off_archive_gives_what_it_holds() -> None:
    page = (main(board("a")) + " " * 100_000 + "".join(str(n) for n in range(20_000))).encode()
    assert only(gzip.compress(page, mtime=0)[:-5000]).bundle.main.text == board("a")


def test_a_large_page_may_come_packed_small() -> None:
    text = board("large", filler="x" * 12_000_000)
    assert single(find(gzip.compress(main(text).encode()), recognise)).bundle.main.text == text


def test_an_archive_of_many_small_streams_is_gone_through_once() -> None:
    text = board("in pieces")
    packed = b"".join(gzip.compress(char.encode(), 1) for char in main(text)) + gzip.compress(b" ") * 150_000
    assert single(find(packed, recognise)).bundle.main.text == text


def test_what_was_not_searched_to_its_end_is_said() -> None:
    with pytest.raises(CircuitError) as caught:
        single(find("".join(f'<iframe srcdoc="{number}"></iframe>' for number in range(20_001)), recognise))
    assert "not searched to its end" in caught.value.found


def test_more_than_the_limit_is_refused() -> None:
    with pytest.raises(CircuitError, match="larger than"):
        find(b"x" * 11, recognise, limit=10)


@pytest.mark.parametrize("page", sorted(PUBLIC.glob("*.html")), ids=lambda path: path.name)
def test_pages_of_the_public_implementation(page: Path) -> None:
    source = page.read_text("utf-8")
    inner = source.partition('id="circuit-workflow"')[2].partition(">")[2].partition("</pre>")[0]
    found = only(page.read_bytes())
    assert (found.bundle.main.text, found.digest) == (html.unescape(inner), Digest.ABSENT)
