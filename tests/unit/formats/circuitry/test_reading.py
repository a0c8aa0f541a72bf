"""What a text is and what is wrong with it, sentence by sentence: forms, sections, bodies, names, patterns."""

from itertools import product
from typing import Any

import pytest

from circuit_export.formats.circuitry.expressions import NOT_READY, compile_value, evaluate
from circuit_export.formats.circuitry.expressions import Sections as Known
from circuit_export.formats.circuitry.patterns import compile_pattern, match_all
from circuit_export.formats.circuitry.reading import examine, inspect, parse
from circuit_export.formats.circuitry.sections import read
from circuit_export.formats.circuitry.source import split
from circuit_export.formats.circuitry.values import ABSENT, canonical


def codes(text: str) -> list[str]:
    """The codes of what is wrong, each with the line and column of the node."""
    return [f"{one.code} {one.start.line}:{one.start.column}" if one.start else one.code for one in inspect(text).said]


def value(body: str) -> Any:
    """What a program without calls gives for the body of its `out`."""
    program = parse(f"out {body}")
    return evaluate(program.output, {})


# --- forms -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kdl"),
    [
        ("---\nout 1\n---", "out 1"),
        ("---\r\nout 1\r\n---\r\n# S", "out 1"),
        ("---\n\n---\n", ""),
        ("---\na\n----\nb\n---\nc", "a\n----\nb"),
        ("---\na\n---x\nb\n---\n", "a\n---x\nb"),
        ("---\na\n---\n---\nb\n---\n", "a"),
        ("---\na\n---\r", None),
        ("---\n---\n", None),
        ("---\n---\nout 1\n---\n", "---\nout 1"),
        ("--- \nout 1\n---\n", None),
        ("\n---\nout 1\n---\n", None),
        ("\ufeff---\nout 1\n---\n", None),
        ("---\nout 1\n", None),
        ("---\nout 1\n ---\n", None),
    ],
)
def test_front_matter_is_fenced_exactly(text: str, kdl: str | None) -> None:
    source = split(text)
    assert source.kdl == (text if kdl is None else kdl)
    assert (source.markdown is None) == (kdl is None)


def test_a_byte_order_mark_is_no_part_of_plain_kdl() -> None:
    assert codes("\ufeffout 1") == []
    assert codes("\ufeffa 1\nout 1\nb 1") == ["program.call.source 1:2", "program.call.source 3:1"]
    assert codes("\ufeff\ufeffout 1") != []


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ('out "😀"\n  a 1', ["program.call.source 2:3"]),
        ('out "😀"; a 1', ["program.call.source 1:11"]),
        ('out "é"; a 1', ["program.call.source 1:10"]),
        ("/* 😀\n😀 */ a 1; out 1", ["program.call.source 2:7"]),
        ("---\nout 1\na 1\n---\n", ["program.call.source 2:1"]),
        ("(t)out 1", ["program.output.codec 1:1"]),
    ],
)
def test_places_count_from_the_kdl_in_utf_16(text: str, places: list[str]) -> None:
    assert codes(text) == places
    (one,) = inspect(text).said
    assert one.start is not None
    kdl = split(text).kdl.encode("utf-16-le")
    before = kdl[: 2 * one.start.offset].decode("utf-16-le")
    assert (before.count("\n") + 1, len(before.rpartition("\n")[2].encode("utf-16-le")) // 2 + 1) == one.start[:2]


@pytest.mark.parametrize("text", ["out true", "a null; out 1", "out {", 'out "', "out 1 }", "out \x07"])
def test_what_is_no_kdl_is_said_alone_and_without_a_range(text: str) -> None:
    assert codes(text) == ["program.kdl"]


def test_a_section_that_is_there_twice_is_said_first_and_then_there_are_none() -> None:
    twice = "---\n# A\nx\n# A\n# B\n# B\n"
    assert codes(f"---\nout {{\n{twice}") == ["program.section.duplicate", "program.kdl"]
    assert codes(f'---\nout "@B"; a 1\n{twice}') == [
        "program.section.duplicate",
        "program.call.source 1:11",
        "program.section.missing 1:1",
    ]


# --- sections ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("markdown", "found"),
    [
        ("before\n# A\nx\n", [("A", "x")]),
        ("# A\rx\r\ry\r\n", [("A", "x\n\ny")]),
        ("### A ###\nx", [("A", "x")]),
        ("   # A\nx", [("A", "x")]),
        ("    # A\nx", []),
        ("> # A\n\n- # B\n\n```\n# C\n```\n<div>\n# D\n</div>\n", []),
        ("A\nB\n===\nx\n", [("A\nB", "x")]),
        ("# `code` x\n# a\\*b &amp;\n", [("`code` x", ""), ("a\\*b &amp;", "")]),
        ("#\nx\n", [("", "x")]),
        ("# a\n# A\n", [("a", ""), ("A", "")]),
        ("# A\n\n \t\n  x  \n\n \n# B", [("A", "  x  "), ("B", "")]),
        ("# A\n\u00a0\n", [("A", "\u00a0")]),
        ("# A\nx\n\u00a0\n\n", [("A", "x\n\u00a0")]),
        ("# A\n\f\nx", [("A", "\f\nx")]),
        ("# A\nx\n### B\ny\n## C\nz\n# D\n", [("A", "x\n### B\ny\n## C\nz"), ("B", "y"), ("C", "z"), ("D", "")]),
        ("| a |\n| - |\n| # b |\n# C\n", [("C", "")]),
    ],
)
def test_a_section_is_a_heading_and_what_follows(markdown: str, found: list[tuple[str, str]]) -> None:
    assert [(section.name, section.text) for section in read(markdown)] == found


# --- calls and roots ---------------------------------------------------------------------------------------------

OUT = "{ out $x }; out 1"


@pytest.mark.parametrize(
    ("call", "code"),
    [
        # Each has what comes later in the order wrong too.
        ("(t)a b=1 { no }", "tag"),
        ("a b=1 c=2 { no }", "source"),
        ("a source=(t)1 b=1 { no }", "property"),
        ("a source=1 source=2 { no }", "property"),
        ("a source=(t)1 { no }", "source-tag"),
        ("a source=(CIRCUITRY)1 { no }", "source-tag"),
        ("a source=1 { in; in; no; yes }", "child"),
        ("a source=1 { (t)error 1; error 2 }", "boundary"),
        ("a source=1 { out 1; out 2 }", "boundary"),
        ("a source=1 { in 1; in 2; out 3 }", "boundary"),
        ("a source=1", "boundary"),
        ('a source="@No" { (no)in 1; out $x; (t)error 1 }', "error-codec"),
    ],
)
def test_of_a_call_the_first_thing_that_is_wrong_is_said(call: str, code: str) -> None:
    assert codes(f"out 1; {call}") == [f"program.call.{code} 1:8"]


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ('a source="@No" #inf { (no)in 1; out "$x y" }', "program.section.missing"),
        ('a source=1 #inf "@No" { (no)in 1; out "$x y" }', "value.number"),
        ('a source=1 "@No" #inf { (no)in 1; out "$x y" }', "program.section.missing"),
        ('a source=1 { (no)in a { }; (no)out "$x y" }', "program.codec"),
        ('a source=1 { (Json)in 1; out "$x y" }', "program.codec"),
        ('a source=1 { (TEXT)in 1; out "$x y" }', "program.codec"),
        ('a source=1 { in { a "@No"; b }; (no)out 1 }', "program.call"),
        ('a source=1 { in { a "@No"; b #nan }; (no)out 1 }', "value.number"),
        ('a source=1 { in "@No"; (no)out 1 }', "program.section.missing"),
        ('a source=1 { (no)out "$x y"; error "$y z" }', "program.codec"),
        ('a source=1 { out { a "$x y"; b }; error "@y" }', "program.call"),
        ('a source=1 { out { a "$x y"; b #inf }; error "@y" }', "value.number"),
        ('a source=1 { out "$x y"; error "@y" }', "program.pattern.interpolation"),
        ('a source=1 { out $x; error "@y" }', "program.pattern.section"),
        ("a source=1 { out $x; error 1e400 }", "value.number"),
    ],
)
def test_what_compiles_is_said_in_the_order_of_the_call(call: str, code: str) -> None:
    assert codes(f"out 1; {call}") == [f"{code} 1:8"]


def test_a_name_is_taken_only_by_a_call_that_is_fine() -> None:
    fine, broken = "a source=1 { out $x }", "a source=1 { out }; "
    assert codes(f"{fine}; {fine}; out 1") == ["program.call.duplicate 1:24"]
    assert codes(f"a source=1; {fine}; out 1") == ["program.call.boundary 1:1"]
    assert codes(f"{fine}; a source=1; out 1") == ["program.call.boundary 1:24"]
    assert codes(f'{broken}{fine}; out "x"') == ["program.call.duplicate 1:21"]


def test_boundaries_come_in_any_order_and_tags_of_arguments_mean_nothing() -> None:
    program = parse('"" source=(circuitry)"" (t)1 { error; (bytes)out 1; (jsonl)in 2 }; out 1')
    (call,) = program.calls
    assert (call.name, call.generated, call.input_codec, call.output_codec) == ("", True, "jsonl", "bytes")


@pytest.mark.parametrize(
    ("root", "said"),
    [
        ('circuitry "0.12"', []),
        ('(t)circuitry (u)"0.12"', []),
        ("circuitry 0.12", ["program.version.unsupported 1:8"]),
        ("circuitry", ["program.version.unsupported 1:8"]),
        ('circuitry "0.12" "0.12"', ["program.version.unsupported 1:8"]),
        ('circuitry "0.12" {}', ["program.version.invalid 1:8"]),
        ('circuitry "0.12" a=1', ["program.version.invalid 1:8"]),
        ("circuitry a=1", ["program.version.unsupported 1:8", "program.version.invalid 1:8"]),
        (
            'circuitry; circuitry "0.12"; circuitry',
            ["program.version.duplicate 1:19", "program.version.unsupported 1:8"],
        ),
        ("in; in; in", ["program.input.duplicate 1:12"]),
        ("(object)in a=1 a", ["program.input.codec 1:8"]),
        ("in a=1 2", ["program.input 1:8"]),
        ('in "$a b"', ["program.pattern.interpolation 1:8"]),
        ("in #inf", ["value.number 1:8"]),
        ("out 2; out 3", ["program.output 1:8"]),
    ],
)
def test_what_stands_at_the_root_is_checked(root: str, said: list[str]) -> None:
    assert codes(f"out 1; {root}") == said


def test_calls_come_first_then_the_version_the_input_and_the_output() -> None:
    assert codes('out a=1 2; (t)in 1; circuitry; b 1; a source=1 { out "@x" }') == [
        "program.call.source 1:32",
        "program.pattern.section 1:37",
        "program.version.unsupported 1:21",
        "program.input.codec 1:12",
        "program.output 1:1",
    ]
    assert codes("(json)out a=1 2") == ["program.output.codec 1:1"]
    assert codes("in 1") == ["program.output"]


# --- bodies ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("", {}),
        ("{}", {}),
        ("1", 1),
        ("1 2", [1, 2]),
        ("{ - 1 }", [1]),
        ("1 { - 2 }", [1, 2]),
        ("{ - 1; - { - 2; - 3 } }", [1, [2, 3]]),
        ("a=1", {"a": 1}),
        ("{ - 1; a 2 }", {"-": 1, "a": 2}),
        ("a=1 { - 2 }", {"a": 1, "-": 2}),
        ("{ (array)a; (object)b }", {"a": [], "b": {}}),
        ("{ (array)a 1 { - 2 } }", {"a": [1, 2]}),
        ("{ (object)a { - 1 } }", {"a": {"-": 1}}),
        ("{ (object)a b=1 { c 2 } }", {"a": {"b": 1, "c": 2}}),
        ("{ (other)a (x)1 }", {"a": 1}),
        ('{ ("array")a }', {"a": []}),
        ("b=1 a=2 b=3", {"b": 3, "a": 2}),
        ('{ "$a" 1; "@b" 2 }', {"$a": 1, "@b": 2}),
        ("9007199254740993 -0 0x10 1_000", [9007199254740992, 0, 16, 1000]),
        ("-0.0 1.5", [0, 1.5]),
        ("#true #false #null", [True, False, None]),
    ],
)
def test_a_body_is_a_value(body: str, expected: Any) -> None:
    assert canonical(value(body)) == canonical(expected)


def test_fields_are_in_order_and_those_that_look_like_places_come_first() -> None:
    assert list(value('c=1 "10"=2 b=3 "2"=4 { a 5; "0" 6; "01" 7; "4294967295" 8; "4294967294" 9 }')) == [
        *("0", "2", "10", "4294967294"),
        *("c", "b", "a", "01", "4294967295"),
    ]
    program = parse('in { b $n; "1" $n; a $n }\nout $n')
    assert match_all(program.input, [{"a": 1, "b": 2, "1": 3}]) == {"n": [3, 2, 1]}


@pytest.mark.parametrize(
    "body",
    [
        "1 a=2",
        "1 { a 2 }",
        "{ a }",
        "{ a {} }",
        "{ - }",
        "{ a 1; a 2 }",
        "a=1 { a 2 }",
        "{ (array)a b=1 }",
        "{ (array)a { b 1 } }",
        "{ (object)a 1 }",
    ],
)
def test_a_body_that_is_two_things_or_none_is_wrong(body: str) -> None:
    assert [code.split()[0] for code in codes(f"out {body}")] == ["program.output"]


@pytest.mark.parametrize("number", ["#inf", "#-inf", "#nan", "1e400", "-1e999", "1" + "0" * 400])
def test_a_number_that_is_not_finite_is_none(number: str) -> None:
    assert codes(f"out {{ a {number} }}") == ["value.number 1:1"]


# --- expressions -------------------------------------------------------------------------------------------------

TEXTS = {"Sec": "S", "Sec two": "T", "e@x!": "E", "": "empty"}


def given(text: str, **state: Any) -> Any:
    return evaluate(compile_value(text, Known(TEXTS)), state)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$a", 1),
        ("?a", 1),
        ("?$a", "1"),
        ("$a-b", "dash"),
        ("$a--b", "1--b"),
        ("$a-", "1-"),
        ("$a.b", "1.b"),
        ("$_1", "under"),
        ("$é $ $$ ${a} $-a ?x @! @", "$é $ $$ ${a} $-a ?x @! @"),
        ("x ?a", "x ?a"),
        ("$$a", "$1"),
        ("??$a", "?1"),
        ("x $no", NOT_READY),
        ("x ?$no.", "x ."),
        ("?$no", ""),
        ("$no", NOT_READY),
        ("?no", ABSENT),
        ("$l $n $t $b $o", '[1,"x"] null true {"$bytes":"AAE="} {"a":1,"b":0}'),
        ("@Sec", "S"),
        ("?@Sec", "S"),
        ("@Sec two", "T"),
        ("@e@x!", "E"),
        ("@", "empty"),
        ("?@", "empty"),
        ("?@Sec.", ABSENT),
        ("?@Nope", ABSENT),
        ("a @SecA", "a SA"),
        ("a @Sec twofold", "a Tfold"),
        ("a @Sec tw", "a S tw"),
        ("a @", "a @"),
        ("a ?@", "a ?@"),
        ("x ?@Nope y $a", "x 1"),
        ("x ?@Nope, $a", "x , 1"),
        ("x ?@Sec $a", "x S 1"),
    ],
)
def test_a_text_is_evaluated(text: str, expected: Any) -> None:
    state = {"a": 1, "a-b": "dash", "_1": "under", "l": [1, "x"], "n": None, "t": True, "b": b"\0\1"}
    found = given(text, **state, o={"b": 0, "a": 1})
    assert found is expected if expected in (ABSENT, NOT_READY) else (found, type(found)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("text", "missing"),
    [("@Sec.", "Sec."), ("me@example.com now", "example.com now"), ("@No", "No"), ("a @No!", "No")],
)
def test_a_section_that_is_needed_and_not_there_is_named(text: str, missing: str) -> None:
    (one,) = inspect(f'---\nout "{text}"\n---\n# Sec\n').said
    assert (one.code, f"“{missing}”" in one.message) == ("program.section.missing", True)


def test_what_a_section_or_a_state_holds_is_not_looked_through_again() -> None:
    assert evaluate(parse('---\nout "x @S"\n---\n# S\n$a @S ?b').output, {}) == "x $a @S ?b"
    assert given("x $a", a="$b @No") == "x $b @No"


def test_absent_parts_are_left_out_and_what_is_left_is_ready() -> None:
    assert value("{ a ?x; b { - ?x; - 1 }; c { d ?x } }") == {"b": [1], "c": {}}
    assert value("{ - ?x; - ?y }") == []
    assert value("?x 1 ?y") == [1]
    assert value("{ a ?x; b $y }") is NOT_READY
    assert value('raw=#"$x"#') is NOT_READY
    assert value('"\\u{24}x"') is NOT_READY


# --- patterns ----------------------------------------------------------------------------------------------------


def matched(body: str, *values: Any, collect: bool = False) -> Any:
    return match_all(parse(f"in {body}\nout 1").input, values, collect=collect)


@pytest.mark.parametrize(
    ("body", "given", "found"),
    [
        ("1", 1.0, {}),
        ("1", True, None),
        ("#true", 1, None),
        ("0", False, None),
        ('"1"', 1, None),
        ("#null", None, {}),
        ("#null", 0, None),
        ("$x", None, {"x": None}),
        ("?x", None, {"x": None}),
        ("?x", {}, {"x": {}}),
        ("1 2", [1, 2, 3], None),
        ("1 2", [1], None),
        ("1 ?x", [1], None),
        ("$x $x", [1, [2]], {"x": [1, [2]]}),
        ("{ (array)a }", {}, {}),
        ("{ (array)a }", {"a": {}}, None),
        ("{ (array)a }", {"a": [1]}, None),
        ("{ (object)a }", {"a": []}, None),
        ("{ a ?x }", {"a": None, "b": 1}, {"x": None}),
        ("{ a ?x }", {}, {}),
        ("{ a $x }", {}, None),
        ("{ a 1 }", {}, None),
        ("{ a { b ?x; c { - ?y } } }", {}, {}),
        ("{ a { b ?x; c $y } }", {}, None),
        ("{ a { b ?x } }", {"a": None}, None),
        ("", [], None),
        ("", "x", None),
        ("", {"a": 1}, {}),
        ('"a@b c"', "x", "wrong"),
        ('"$"', "$", {}),
        ('"x ?y"', "x ?y", {}),
    ],
)
def test_a_pattern_matches_what_has_its_shape(body: str, given: Any, found: Any) -> None:
    if found == "wrong":
        assert codes(f"in {body}\nout 1") == ["program.pattern.section 1:1"]
        return
    assert matched(body, given) == found


@pytest.mark.parametrize("text", ["@S", "?@S", "x @S", "@No", "?@No", "x ?@No y", "a@b", "@", "?@"])
def test_a_pattern_names_no_section_known_or_not(text: str) -> None:
    known = f'---\nin "{text}"\nout 1\n---\n# S\nx\n#\ny\n'
    assert codes(known) == ["program.pattern.section 1:1"]


def test_a_name_in_a_longer_text_of_a_pattern_comes_before_a_section_in_it() -> None:
    for text in ("x $a", "?$a", "$a-", "$a $b"):
        assert codes(f'in "{text}"\nout 1') == ["program.pattern.interpolation 1:1"]


def test_candidates_are_matched_one_by_one_and_one_that_fails_leaves_nothing() -> None:
    assert matched("{ a $x; b 1 }", {"a": 1, "b": 2}, {"a": 3, "b": 1}, {"a": 4, "b": 1}) == {"x": [3, 4]}
    assert matched("{ a $x; b 1 }", {"a": 1, "b": 2}) is None
    assert matched("{ a ?x }", {}, {"a": 1}) == {"x": 1}
    assert matched("{ a ?x }", {"a": 1}, collect=True) == {"x": [1]}
    assert matched("{ a ?x }", 5) is None
    assert matched("", 5) is None
    assert matched("{ a ?x }") == {} == matched("{ (array)a }") == matched("?x")
    assert matched("{ a $x }") is None
    assert matched("1") is None


def test_a_field_of_its_own_is_none_that_every_object_has() -> None:
    assert matched("{ toString ?x; constructor ?y }", {}) == {}
    pattern = compile_pattern({"__proto__": "$x"}, Known({}))
    assert match_all(pattern, [{}]) is None


@pytest.mark.parametrize(
    ("text", "found", "hint"),
    [
        ('a "x', "quotes that are not closed", "a quote is missing"),
        ('a "x\n"', "the end of the line inside quotes", "a quote is missing"),
        ("a {", "the end of the text inside braces", "a brace may be open"),
        ("a }", "more behind the end of a node", "it is one too many"),
        ("a x=", "the end of the text where a value should be", "look at the line above"),
        ("a true", "true without a #", "write #true, or “true” in quotes"),
        ("a (x", "the end of the text where “)” should be", "look at the line above"),
        ('a """x"""', 'text right behind """', "on the next line"),
        ("a /* x", "a /* that is not closed", "write */"),
        ("a #foo", "the character “#”", "#true, #false"),
        ("a 1x", "a number with x behind it", "in quotes"),
        ("a .5", "the character “.”", "write 0.5"),
        ("a [1]", "the character “[”", "a list is several values"),
        ('a "\\q"', "\\q in quotes, which stands for nothing", "write \\\\ for a backslash"),
        ("a x=1=2", "two values without a blank between them", "a blank"),
        ("=x", "“=” where a name should be", "in quotes"),
        ("a {}{}", "two blocks behind one node", "into one"),
        ("a\u202eb", "the character U+202E, which KDL does not allow", "take it out"),
        ('a """\n  x\n y\n  """', "a line that is less indented than the closing quotes", "indent"),
        ("a {" * 300 + "}" * 300, "blocks that are nested more than 200 deep", "nest them less"),
        ("a " + "9" * 5000, "a number with more digits than can be read", "write fewer digits"),
    ],
)
def test_what_is_no_kdl_is_said_in_words_for_its_author(text: str, found: str, hint: str) -> None:
    unread = examine(text).unread
    assert unread is not None
    assert unread.message == found
    assert hint in unread.hint
    assert inspect(text).said[0].message.startswith(f"The KDL cannot be read: found {found}")


def test_no_word_of_the_parsers_own_making_is_shown() -> None:
    parts = [
        "a",
        "=",
        "{",
        "}",
        "(",
        ")",
        '"x"',
        "#true",
        "1",
        "/-",
        "\n",
        ";",
        '"',
        '"""',
        "#",
        "\\",
        "/*",
        "[",
        "\x07",
    ]
    for found in (examine(" ".join(words)).unread for words in product(parts, repeat=3)):
        if found is not None:
            assert "Token" not in found.message
            assert found.message[0].islower() or found.message[0] in "“#\\", found.message
