"""A server that listens on a port of its own, in a process of its own, while a test needs it."""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

TESTS = Path(__file__).parents[1]


@contextlib.contextmanager
def listening(folder: Path, module: str, *args: str, env: Mapping[str, str] | None = None) -> Iterator[str]:
    """Runs a module that says on stderr, in JSON, at which `url` it listens; the address is what it gives."""
    log = folder / "served"
    path = os.pathsep.join(filter(None, (str(TESTS), os.environ.get("PYTHONPATH"))))
    with log.open("w") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", module, *args],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stream,
            env={**os.environ, "PYTHONPATH": path, **(env or {})},
        )
    try:
        yield _url(process, log)
    finally:
        process.kill()
        process.wait()


def _url(process: "subprocess.Popen[bytes]", log: Path) -> str:
    while process.poll() is None:
        for line in log.read_text("utf-8").split("\n")[:-1]:  # what has no end yet is not whole
            if '"url"' in line:
                return str(json.loads(line)["url"])
        time.sleep(0.05)
    raise AssertionError(log.read_text("utf-8"))
