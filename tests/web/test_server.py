"""Listening, and who may not be listened to."""

from __future__ import annotations

import http.client
import threading
from pathlib import Path

import pytest

from harvester import wiring
from harvester.errors import UsageError
from harvester.settings import Settings
from harvester.web.keys import KeyFile
from harvester.web.server import address_of, check_exposure, listen, server_for
from tests.cli.running import run_command
from tests.web.collection import fill, hex_of


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "search.example.org"])
def test_others_are_not_listened_to_without_a_key(tmp_path: Path, host: str) -> None:
    with pytest.raises(UsageError, match="harvest keys add"):
        check_exposure(Settings(data=tmp_path, web_host=host))
    check_exposure(Settings(data=tmp_path, web_host=host, web_api_key="hv_told"))
    KeyFile(tmp_path).add("me", "admin", now=1.0)
    check_exposure(Settings(data=tmp_path, web_host=host))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.9.9.9"])
def test_loopback_needs_no_key(tmp_path: Path, host: str) -> None:
    check_exposure(Settings(data=tmp_path, web_host=host))


def test_the_command_says_so_and_ends(tmp_path: Path) -> None:
    done = run_command("serve", "--host", "0.0.0.0", "--port", "0", "--data", str(tmp_path))
    assert done.returncode == 2
    assert "harvest keys add" in done.stderr


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as listener:
        assert address_of(listener).startswith("http://127.0.0.1:")
        with pytest.raises(UsageError, match="cannot listen"):
            listen("127.0.0.1", listener.getsockname()[1])


def test_head_is_answered_without_a_body_and_the_connection_goes_on(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, web_rate_limit=0)
    with wiring.opened_store(settings, create=True) as store, listen("127.0.0.1", 0) as listener:
        fill(store)
        wiring.caught_up_index(settings, store)
        server = server_for(settings, store)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        connection = http.client.HTTPConnection(*listener.getsockname()[:2], timeout=10)
        try:
            path = f"/torrents/{hex_of('Ubuntu 24.04 desktop')}.torrent"
            lengths = []
            for method in ("HEAD", "GET", "HEAD"):
                connection.request(method, path)
                answer = connection.getresponse()
                lengths.append((answer.status, int(answer.headers["Content-Length"]), len(answer.read())))
            assert lengths[0] == lengths[2] == (200, lengths[1][1], 0)
            assert lengths[1][1] == lengths[1][2] > 0
        finally:
            connection.close()
            server.should_exit = True
            thread.join(10)
