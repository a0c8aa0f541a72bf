"""What holds for every text, face and room."""

from hypothesis import given, settings
from hypothesis import strategies as st

from circuit_export.board.text_clean import BLANKS
from circuit_export.board.text_fit import Face, clean, fit_line, fit_lines, graphemes, width

# Any string Python can hold, lone surrogates too, and denser mixes of what joins and what is blank.
ANY = st.text(st.characters(), max_size=60)
JOINED = st.text(
    st.sampled_from(
        "a é漢、。「」 \t\u00a0\u200b\u200d\ufe0f\u0301\u0600\u1100\u1161\u11a8각क्षि👩👍🏽🇩🇪❤1\u20e3שم-/.…!(\ud800"
    ),
    max_size=60,
)
WORDS = st.lists(st.text(st.sampled_from("abciWM-.,é"), min_size=1, max_size=12), max_size=12).map(" ".join)
TEXTS = st.one_of(ANY, JOINED, WORDS)
FACES = st.builds(
    Face,
    st.sampled_from(["sans", "mono"]),
    st.sampled_from(["regular", "semibold"]),
    st.floats(1, 64),
    st.sampled_from([0, 0.5, 1.25, -0.2]),
)
ROOMS = st.floats(0, 600)
law = settings(max_examples=300, deadline=None)


@law
@given(TEXTS)
def test_graphemes_are_the_whole_text(text: str) -> None:
    parts = graphemes(text)
    assert "".join(parts) == text
    assert all(parts)


@law
@given(TEXTS, FACES)
def test_width_adds_up_over_graphemes(text: str, face: Face) -> None:
    each = sum(width(part, face) for part in graphemes(text))
    assert width(text, face) <= each + 1e-6
    assert width(text, face) >= 0


@law
@given(TEXTS, FACES, ROOMS)
def test_a_fitted_line_fits(text: str, face: Face, room: float) -> None:
    line = fit_line(text, face, room)
    if room >= width("…", face):
        assert width(line, face) <= room


@law
@given(TEXTS, FACES, ROOMS)
def test_a_text_that_fits_is_unchanged(text: str, face: Face, room: float) -> None:
    fits = width(text, face) <= room
    assert (fit_line(text, face, room) == text) or not fits
    assert not fits or not text or fit_lines(text, face, room, 2) == (text,)


@law
@given(TEXTS, FACES, ROOMS)
def test_a_cut_line_is_the_longest_start_of_whole_graphemes(text: str, face: Face, room: float) -> None:
    line = fit_line(text, face, room)
    if line == text:
        return
    assert line.endswith("…")
    kept = line[:-1]
    assert text.startswith(kept)
    parts = graphemes(text)
    count = len(graphemes(kept))
    assert parts[:count] == graphemes(kept)
    while count < len(parts) and not parts[count].strip(BLANKS):
        count += 1
    longer = "".join(parts[: count + 1]) + "…"
    assert longer == text or width(longer, face) > room


@law
@given(TEXTS, FACES, ROOMS, st.integers(0, 4))
def test_lines_fit_and_say_when_they_are_cut(text: str, face: Face, room: float, lines: int) -> None:
    found = fit_lines(text, face, room, lines)
    assert len(found) <= lines
    if room >= width("…", face):
        assert all(width(line, face) <= room for line in found)
    blanks = str.maketrans(dict.fromkeys(BLANKS + "…"))
    whole, shown = text.translate(blanks), "".join(found).translate(blanks)
    assert whole.startswith(shown)
    if found and shown != whole:
        assert found[-1].endswith("…")


@law
@given(TEXTS, FACES, ROOMS, st.integers(1, 4))
def test_lines_divide_between_graphemes(text: str, face: Face, room: float, lines: int) -> None:
    ends, position = set(), 0
    for part in graphemes(text):
        position += len(part)
        ends.add(position)
    at = 0
    for line in fit_lines(text, face, room, lines)[:-1]:
        at = text.index(line, at) + len(line)
        assert not line or at in ends


@law
@given(TEXTS)
def test_clean_text_is_one_line_that_a_page_can_carry(text: str) -> None:
    shown = clean(text)
    assert clean(shown) == shown
    assert not set(shown) & set("\n\r\t\x00\x7f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert "  " not in shown
    shown.encode("utf-8")
