"""Reporters: each turns a report into the text of one output format; a new one is a file here and a line below."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from circuit_export.validation.report import Report

Reporter = Callable[[Report, bool], str]
"""Given the report and whether to colour; returns the whole text, a line feed at its end unless it is empty."""

# Name → what it is for; the file is the name.
REPORTERS = {
    "text": "for people: each finding with the line it is about",
    "concise": "one line a finding, for editors and grep",
    "json": "everything, as JSON",
    "sarif": "SARIF 2.1.0, for code scanning",
    "github": "annotations in GitHub Actions",
    "junit": "JUnit XML, for test reports",
    "gitlab": "GitLab code quality, as JSON",
}


def reporter(name: str) -> Reporter:
    """The reporter called `name`. Raises KeyError for a name that is none of REPORTERS."""
    if name not in REPORTERS:
        raise KeyError(name)
    module = "json_" if name == "json" else name
    found: Reporter = import_module(f"{__name__}.{module}").report
    return found
