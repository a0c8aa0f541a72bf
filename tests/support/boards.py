"""Boards built by hand, as any format might give them, and the pages made of them."""

import json
from collections.abc import Callable

from circuit_export.board.layout import layout
from circuit_export.board.model import Actor, Board, Chip, Fact, LooseWire, Section, Span, Wire
from circuit_export.board.page import render_page
from circuit_export.board.routing import route
from circuit_export.board.theme import Theme, load_theme
from circuit_export.definition import Bundle, Definition

HOSTILE = (
    '<img src=x onerror="document.title=1">',
    "\"'><script>alert(1)</script>",
    "</style></title></pre></textarea><svg onload=alert(1)>",
    "]]>--><!-- {{7*7}} {% raw %} ${7*7}",
    "javascript:alert(1)",
    "&amp;lt; &#0; &notanentity",
)


def ordinary() -> Board:
    """A board with something of everything."""
    chips = (
        Chip("start", "when", "When a form comes in", "you start it from the chat", Actor.YOU),
        Chip(
            "sort",
            "decide",
            "What do they want?",
            "sorts into sales, support or other",
            Actor.CLAUDE,
            ports=("sales", "support", "other"),
            config=(("labels", "sales, support, other"), ("instructions", "Read it.\nThen decide.")),
        ),
        Chip("each", "for each", "For each of them", "one at a time, up to 10", Actor.CIRCUIT, ports=("out", "done")),
        Chip(
            "send",
            "do",
            "Send the answer that was written for them and say when it went out",
            "Gmail · send message",
            Actor.CLAUDE,
            ports=("out", "error"),
            writes=True,
            notes=("If it fails, the run goes on by the port “error”.",),
            config=(("tool", "Gmail:send_message"),),
        ),
        Chip("off", "report", "Tell me", "“It went out.”", Actor.CLAUDE, enabled=False),
        Chip("gate", "ask you", "Shall it go?", "Send this?", Actor.YOU),
    )
    wires = (
        Wire(0, "out", 1),
        Wire(1, "sales", 2),
        Wire(1, "support", 5),
        Wire(2, "out", 5),
        Wire(2, "done", 4),
        Wire(5, "out", 3),
        Wire(3, "out", 4, optional=True),
    )
    sections = (
        Section(
            "connectors",
            "Connectors it needs",
            intro="They are matched by name.",
            columns=("Tool", "Used by", "Reads or writes"),
            rows=(((Span("Gmail:send_message", "code"),), (Span("Send", "step", 3),), (Span("writes"),)),),
        ),
        Section(
            "changes",
            "What it can change",
            rows=(((Span("Send", "step", 3), Span(" only after "), Span("you approve", "strong"), Span(".")),),),
        ),
        Section("calls", "Workflows it calls", empty="It calls no other workflow."),
    )
    return Board(
        "form-answers",
        "Form answers",
        "Answers what comes in by the form.",
        chips,
        wires,
        loose=(LooseWire(1, "other", "nobody"), LooseWire(3, "error", "nowhere")),
        facts=(Fact("steps", "6"), Fact("connectors", "Gmail")),
        sections=sections,
    )


def saying(text: str) -> Board:
    """A board that says `text` in every place where a definition's own words may stand."""
    chips = (
        Chip(text, text, text, text, Actor.YOU, (text, f"{text}2"), True, True, None, None, ((text, text),), (text,)),
        Chip(f"{text}1", text, text, text, Actor.CIRCUIT, enabled=False),
    )
    rows = (((Span(text), Span(text, "strong"), Span(text, "code"), Span(text, "step", 1)), (Span(text),)),)
    return Board(
        text,
        text,
        text,
        chips,
        (Wire(0, text, 1), Wire(1, "out", 1)),
        loose=(LooseWire(0, f"{text}2", text),),
        facts=(Fact(text, text),),
        sections=(Section(text, text, text, (text, text), rows, text), Section("list", text, text, (), rows, text)),
    )


def right_to_left() -> Board:
    chips = (
        Chip("بداية", "when", "ابدأ من المحادثة", "تبدأه من المحادثة", Actor.YOU),
        Chip("فرز", "decide", "ماذا تريد كل رسالة؟", "sorts into مبيعات", Actor.CLAUDE, ("مبيعات", "دعم فني", "أخرى")),
        Chip("كتابة", "write", "اكتب ردًا قصيرًا ومهذبًا للعميل", "بأقل من مئة كلمة", Actor.CLAUDE, writes=True),
        Chip("كل", "for each", "لكل رسالة", "one at a time, up to 20", Actor.CIRCUIT, ports=("out", "done")),
        Chip("دائما", "for each", "لكل رسالة واردة", "one at a time", Actor.CIRCUIT, ports=("out", "done")),
        Chip("تقرير", "report", "أخبرني", "“تم”", Actor.CLAUDE, ports=("out", "خطأ"), notes=("عند الخطأ يتوقف.",)),
    )
    wires = (Wire(0, "out", 1), Wire(1, "مبيعات", 2), Wire(1, "دعم فني", 3), Wire(2, "out", 3), Wire(3, "done", 4))
    return Board("بريد", "فرز البريد الوارد", "يقرأ الرسائل ويقترح ردودًا.", chips, wires)


def ideographs() -> Board:
    chips = (
        Chip("開始", "every", "毎朝九時に始める", "平日の朝九時", Actor.YOU),
        Chip("読む", "do", "未読のメールをすべて読み込んで、重要な順に並べ替えてから要約する", "Gmail", Actor.CLAUDE),
        Chip(
            "分類",
            "decide",
            "それぞれを分類する",
            "返信・会議・その他",
            Actor.CLAUDE,
            ("返信が必要", "会議の調整", "その他"),
        ),
        Chip("各々", "for each", "それぞれのメール", "20件まで", Actor.CIRCUIT, ("out", "done")),
        Chip("家族", "write", "👩‍👩‍👧‍👦 家族への返信を下書きする 🇯🇵", "丁寧に", Actor.CLAUDE, writes=True),
    )
    return Board(
        "受信", "受信トレイの仕分け", "", chips, (Wire(0, "out", 1), Wire(1, "out", 2), Wire(2, "返信が必要", 3))
    )


def two_hundred_ports() -> Board:
    ports = tuple(f"label number {number}" if number % 3 else f"k{number}" for number in range(200))
    chips = (
        Chip("a", "decide", "Sort into two hundred different kinds of thing", "sorts into many", Actor.CLAUDE, ports),
        *(Chip(f"s{number}", "report", f"Say {number}", "“…”", Actor.CLAUDE) for number in range(5)),
    )
    wires = tuple(Wire(0, ports[number], 1 + number % 5) for number in range(0, 200, 7))
    return Board("ports", "Two hundred ways out", "", chips, wires)


def long_words() -> Board:
    word = "Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrik"
    chips = (
        Chip(word * 3, word[:9], word * 2, word * 9, Actor.YOU, config=((word, word * 20),), notes=(word * 4,)),
        Chip("M" * 40, "W" * 40, "M" * 200, "W" * 400, Actor.CIRCUIT, ("W" * 40, "M" * 40), writes=True, enabled=False),
        Chip("i", "do", "", "", Actor.CLAUDE),
    )
    facts = (Fact("connectors", word * 3), Fact("W" * 60, "M" * 60))
    rows = (((Span(word * 3, "code"),), (Span(word * 3, "step", 1),), (Span(word * 3),)),)
    section = Section("long", word * 2, word * 3, ("One", word, "Three"), rows)
    return Board(
        word, word * 3, word * 5, chips, (Wire(0, "out", 1), Wire(1, "W" * 40, 2)), facts=facts, sections=(section,)
    )


def mixtures() -> Board:
    """Chips of every size with titles, summaries and ports in every script, in each other's company."""
    words = (
        "Send it",
        "WWWW mmmm @@@@ %%%% iiii llll ....",
        "Prüfe die Beiträge größer ÀÉÎÕÜ",
        "Русский текст щука Жёлтый",
        "שלום עולם, שָׁלוֹם 123",
        "مرحبا بالعالم كيف حالك",
        "日本語のテキスト、漢字かな交じり。",
        "한국어 텍스트입니다",
        "नमस्ते दुनिया स्त्री क्षत्रिय",
        "ภาษาไทย น้ำ ที่นี่",
        "👨‍👩‍👧‍👦👍🏽🇩🇪 1️⃣❤️",
        "Gmail: وضع علامة على thread",
    )
    chips = []
    for number, count in enumerate([1, 2, 3, 6, 7] * len(words)):
        title, summary, port = (words[(number * step) % len(words)] for step in (1, 5, 7))
        ports = tuple(f"{port[: 3 + index * 2]}{index}" for index in range(count))
        actor = list(Actor)[number % 3]
        chips.append(Chip(f"c{number}", "ask you", title, summary, actor, ports, number % 4 == 0, number % 5 != 0))
    return Board("mixtures", "Mixtures", "", tuple(chips), ())


def chain(length: int) -> Board:
    """A board of `length` chips in a row."""
    chips = tuple(Chip(f"s{number}", "do", f"Step {number}", "does it", Actor.CLAUDE) for number in range(length))
    return Board("chain", "A chain", "", chips, tuple(Wire(number, "out", number + 1) for number in range(length - 1)))


BOARDS: dict[str, Callable[[], Board]] = {
    "ordinary": ordinary,
    "hostile": lambda: saying(" ".join(HOSTILE)),
    "right-to-left": right_to_left,
    "ideographs": ideographs,
    "two-hundred-ports": two_hundred_ports,
    "long-words": long_words,
    "mixtures": mixtures,
}


def page_of(board: Board, theme: Theme | str = "copper", text: str = "", others: tuple[Definition, ...] = ()) -> str:
    """The page of a board; its definition is `text`, else a small JSON document that names the board."""
    definition = Definition(text or json.dumps({"name": board.name}), "steps", "board.json")
    cells = layout(board)
    chosen = load_theme(theme) if isinstance(theme, str) else theme
    return render_page(board, Bundle(definition, others), chosen, layout=cells, drawing=route(board, cells))
