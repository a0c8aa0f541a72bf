"""Documentation of the findings, made from the rules: the page of all of them, and what `circuit explain` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export import formats
from circuit_export.validation.catalogue import every_rule, format_rules

if TYPE_CHECKING:
    from circuit_export.formats.base import Rule

FAMILIES = {
    "C0": "Reading",
    "C1": "Shape",
    "C2": "Graph",
    "C3": "Data",
    "C4": "Connectors",
    "C5": "Safety",
    "C6": "Schedule",
    "C9": "Runs",
}
LONGEST = 1_500
"""Characters of an example that are shown."""

INTRO = """# Findings

Made from the rules by `circuit rules --format markdown`; do not edit it.

Every finding has a code and a name; both can be used with `--select`, `--ignore` and in a document's own
`"x-circuit": {"ignore": {"C501": "why"}}`, in a program as `// circuit: ignore C841 why`. `circuit explain CODE` prints
a section of this page.
"""


def page() -> str:
    """The page of all findings, in Markdown."""
    rules = every_rule()
    parts = [INTRO, "| code | name | severity | what |\n|---|---|---|---|"]
    parts[-1] += "".join(f"\n| [{rule.code}](#{rule.code.lower()}) {_row(rule)}" for rule in rules)
    family = ""
    for rule in rules:
        if rule.code[:2] != family:
            family = rule.code[:2]
            parts.append(f"## {FAMILIES.get(family) or _of_a_format(family)}")
        parts.append(section(rule, heading=f'### <a id="{rule.code.lower()}"></a>{rule.code}: {rule.name}'))
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _of_a_format(family: str) -> str:
    """What a family of findings is about that only one format has."""
    for name in formats.NAMES:
        if any(rule.code.startswith(family) for rule in format_rules(name)):
            return f"{formats.get(name).title}s"
    return family


def _row(rule: Rule) -> str:
    return f"| {rule.name} | {rule.severity} | {rule.about.replace('|', chr(92) + '|')} |"


def section(rule: Rule, heading: str = "") -> str:
    """What there is to know of one finding, in Markdown."""
    parts = [heading or f"# {rule.code}: {rule.name}", rule.about, rule.why, f"Severity: {rule.severity}."]
    if rule.reference:
        parts.append(f"The language itself calls it `{rule.reference}`.")
    if rule.tools is not None:
        parts.append(f"The examples have a binding with {', '.join(f'`{tool}`' for tool in rule.tools)}.")
    parts += [f"The examples can call:\n\n{_fenced(text)}" for text in rule.workflows]
    parts += [f"Bad:\n\n{_fenced(rule.bad)}", f"Good:\n\n{_fenced(rule.good)}"]
    return "\n\n".join(parts)


def _fenced(text: str) -> str:
    text = text.strip("\n").encode("utf-8", "replace").decode("utf-8")
    if len(text) > LONGEST:
        text = f"{text[:60]}… and so on, {len(text):,} characters in all"
    word = "json" if text.startswith("{") else "text"
    return f"```{word}\n{text}\n```"


def listing() -> str:
    """One line a finding: code, severity, name, what it finds."""
    width = max(len(rule.name) for rule in every_rule())
    return "".join(f"{rule.code}  {rule.severity:<7}  {rule.name:<{width}}  {rule.about}\n" for rule in every_rule())
