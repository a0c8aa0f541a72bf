"""A Postgres of the tests' own: the distribution's binaries, a new cluster, an unprivileged user, no TCP."""

import contextlib
import getpass
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDERS = ("/usr/lib/postgresql", "/usr/pgsql", "/opt/homebrew/opt", "/usr/local/opt")
UNPRIVILEGED = ("postgres", "nobody")


def binaries() -> Path | None:
    """The folder of initdb and pg_ctl: what CIRCUIT_POSTGRES names, else where distributions put them, the newest."""
    named = os.environ.get("CIRCUIT_POSTGRES")
    found = [Path(named)] if named else []
    on_path = shutil.which("initdb")
    found += [Path(on_path).parent] if on_path else []
    for folder in FOLDERS:
        found += sorted(Path(folder).glob("*/bin"), key=lambda path: (len(path.parent.name), path.parent.name))[::-1]
    return next((path for path in found if (path / "initdb").exists() and (path / "pg_ctl").exists()), None)


class Cluster:
    """A running Postgres. Each test has a schema of its own in its one database."""

    def __init__(self, folder: Path, bin: Path) -> None:
        self.folder = folder
        self._bin = bin
        self._user = _unprivileged()
        self._made = 0
        if self._user is not None:
            shutil.chown(folder, self._user)

    def start(self) -> None:
        if not (self.folder / "data").exists():
            self._run("initdb", "-D", self.folder / "data", "-U", "circuit", "-A", "trust", "-E", "UTF8", "--no-sync")
        # What tests write need not reach the disk; what a database promises of a sudden end is its own to keep.
        options = f"-c listen_addresses='' -k {self.folder} -c fsync=off -c max_connections=100"
        self._run("pg_ctl", "-D", self.folder / "data", "-w", "-o", options, "-l", self.folder / "log", "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", self.folder / "data", "-w", "-m", "immediate", "stop")

    def database(self) -> str:
        """The address of a new, empty schema, which is as good as a database and made faster."""
        import psycopg

        self._made += 1
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA test_{self._made}".encode())
        return f"{self.address}&options=-csearch_path%3Dtest_{self._made}"

    @property
    def address(self) -> str:
        return f"postgresql://circuit@/postgres?host={self.folder}"

    def watched(self) -> "subprocess.Popen[bytes]":
        """A process that stops the server and clears up when its stdin ends: however the tests end, it does."""
        script = 'cat >/dev/null; "$1" -D "$2/data" -m immediate stop >/dev/null 2>&1; rm -rf "$2"'
        return subprocess.Popen(
            ["sh", "-c", script, "sh", self._bin / "pg_ctl", self.folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
            **self._as_user,
        )

    @property
    def _as_user(self) -> dict[str, Any]:
        return {"user": self._user, "group": _group(self._user), "extra_groups": []} if self._user else {}

    def _run(self, program: str, *args: str | Path) -> None:
        ended = subprocess.run(
            [self._bin / program, *args],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if program == "initdb" else subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            cwd="/",
            text=True,
            timeout=120,
            **self._as_user,
        )
        log = self.folder / "log"
        said = ended.stdout or (log.read_text("utf-8", "replace") if log.exists() else "")
        assert ended.returncode == 0, f"{program}: {said}"


def _unprivileged() -> str | None:
    """The user that it runs as; None for the one that the tests run as. Postgres refuses to be root's."""
    if getpass.getuser() != "root" and os.geteuid() != 0:
        return None
    import pwd

    for name in UNPRIVILEGED:
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    raise AssertionError(f"no unprivileged user: {UNPRIVILEGED}")


def _group(user: str) -> int:
    import pwd

    return pwd.getpwnam(user).pw_gid


@contextlib.contextmanager
def running() -> Iterator[Cluster]:
    """A cluster while it is needed."""
    bin = binaries()
    assert bin is not None
    cluster = Cluster(Path(tempfile.mkdtemp(prefix="circuit-pg-")), bin)  # a socket's path must be short
    watcher = cluster.watched()
    try:
        cluster.start()
        yield cluster
    finally:
        watcher.communicate(timeout=120)
