"""What keeps a text from being KDL, in words for its author: the parser's own are for who wrote the parser."""

from __future__ import annotations

import re
from typing import Final

_TOKENS: Final = {
    "IDENT": "a word",
    "STRING": "a text in quotes",
    "NUMBER": "a number",
    "KEYWORD_NUMBER": "a number",
    "BOOL": "#true or #false",
    "NULL": "#null",
    "LBRACE": "“{”",
    "RBRACE": "“}”",
    "LPAREN": "“(”",
    "RPAREN": "“)”",
    "EQUAL": "“=”",
    "SEMI": "“;”",
    "NEWLINE": "the end of the line",
    "SLASHDASH": "“/-”",
    "EOF": "the end of the text",
}
_QUOTE: Final = (
    'a quote is missing or one too many; inside quotes write \\" for one, and """ around a text of several lines'
)
_NODE: Final = "begin a new line or write ; there; if it is a }, it is one too many"
_LIST: Final = "a list is several values behind each other, or nodes named - in braces"
_WORDS: Final = "words for values begin with #: #true, #false, #null, #inf, #-inf, #nan"
_LOOK: Final = "look at the line above too: a quote or a brace may be open"
_SAID: Final = (
    (r"Expected (?:TokenType\.)?(\w+), got (?:TokenType\.)?(\w+)", "", ""),
    (r"Reserved identifier '(.+?)' is not valid.*", "{0} without a #", "write #{0}, or “{0}” in quotes for the text"),
    (r"Newline in (?:quoted|single-quote raw) string", "the end of the line inside quotes", _QUOTE),
    (r"Unterminated (?:quoted|raw) string", "quotes that are not closed", _QUOTE),
    (r"Unterminated multiline string", 'a """ that is not closed', 'end the text with """ on a line of its own'),
    (r"Unterminated block comment", "a /* that is not closed", "write */ where the comment ends"),
    (r"Unterminated children block", "the end of the text inside braces", _LOOK),
    (r"Expected newline or semicolon after node", "more behind the end of a node", _NODE),
    (r"Expected whitespace before entry", "two values without a blank between them", "write a blank between them"),
    (r"Invalid number: .+ immediately followed by (.+)", "a number with {0} behind it", "write a text in quotes"),
    (r"Unexpected character '#'", "the character “#”", _WORDS),
    (r"Unexpected character '\.'", "the character “.”", "write 0.5 for a number, and a text in quotes"),
    (r"Unexpected character '([\[\]])'", "the character “{0}”", _LIST),
    (r"Unexpected character (['\"])(.+)\1", "the character “{1}”", "write a text that has it in quotes"),
    (r"Invalid escape sequence: (.+)", "{0} in quotes, which stands for nothing", "write \\\\ for a backslash"),
    (r"Multiline (?:raw )?string must begin.*", 'text right behind """', "begin the text on the next line"),
    (
        r"Non-whitespace character on closing.*",
        'text before the closing """',
        'write the closing """ on a line of its own',
    ),
    (
        r"Content line does not match.*",
        "a line that is less indented than the closing quotes",
        "indent every line of the text as far as its closing quotes",
    ),
    (r"Node cannot have multiple children blocks", "two blocks behind one node", "put what they hold into one"),
    (
        r"Disallowed (?:literal |direction-control |control |surrogate )?(?:code point|BOM)\s*(.*)",
        "the character {0}, which KDL does not allow",
        "take it out, or write it as an escape in quotes, such as \\u{200e}",
    ),
)


def explained(message: str) -> tuple[str, str]:
    """What the parser found, and what to do about it."""
    for pattern, found, hint in _SAID:
        match = re.fullmatch(pattern, message)
        if match is None:
            continue
        if not found:
            return _expected(match[1], match[2])
        words = [word.strip("'") for word in match.groups()]
        return found.format(*words), hint.replace("{0}", words[0]) if words else hint
    return message, _LOOK


def _expected(wanted: str, got: str) -> tuple[str, str]:
    what = {"identifier": "a name", "value": "a value"}.get(wanted) or _TOKENS.get(wanted, wanted)
    hint = "write a name that is no plain word in quotes" if wanted == "identifier" and got != "EOF" else _LOOK
    return f"{_TOKENS.get(got, got)} where {what} should be", hint
