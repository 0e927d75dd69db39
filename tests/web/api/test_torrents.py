"""One torrent through the API."""

from __future__ import annotations

import pytest

from tests.store.builders import begin, torrent, write
from tests.web.collection import HOSTILE, HOSTILE_PATH, PASSKEY, Served, hex_of

SERVER = hex_of("Ubuntu 24.04 server")


def test_everything_about_a_torrent_is_told(web: Served) -> None:
    told = web.get(f"/api/v1/torrents/{SERVER}").json()
    assert told["name"] == "Ubuntu 24.04 server"
    assert told["trackers"] == ["udp://tracker.example:6969/announce"]
    assert len(told["variants"]) == 1
    assert told["sources"][0]["site"] == "forum"


def test_files_come_page_by_page(web: Served) -> None:
    page = web.get(f"/api/v1/torrents/{SERVER}/files", limit=1, offset=1).json()
    assert page == {"total": 2, "files": [{"path": "Ubuntu 24.04 server/b.bin", "size": 2000}]}


def test_hostile_names_and_paths_are_told_as_they_are(web: Served) -> None:
    told = web.get(f"/api/v1/torrents/{hex_of(HOSTILE)}")
    assert told.headers["content-type"] == "application/json"
    assert told.json()["name"] == HOSTILE
    assert told.json()["file_list"][0]["path"] == HOSTILE_PATH


def test_sightings_and_history_say_where_and_when(web: Served) -> None:
    seen = web.get(f"/api/v1/torrents/{SERVER}/sightings").json()["sightings"]
    assert [(one["site"], one["page"]) for one in seen] == [("forum", "https://forum.example/t2")]
    history = web.get(f"/api/v1/torrents/{SERVER}/history").json()["history"]
    assert [one["what"] for one in history] == ["first_seen", "file", "seen"]


def test_a_magnet_names_the_torrent_and_its_trackers(web: Served) -> None:
    magnet = web.get(f"/api/v1/torrents/{SERVER}/magnet").json()["magnet"]
    assert magnet.startswith(f"magnet:?xt=urn:btih:{SERVER}&dn=Ubuntu%2024.04%20server&tr=udp")
    assert "tr=" not in web.get(f"/api/v1/torrents/{SERVER}/magnet", trackers="false").json()["magnet"]


def test_a_tracker_with_a_key_in_it_leaves_in_no_way(web: Served) -> None:
    digest = hex_of("Open but keyed")
    for part in ("", "/magnet", "/sightings", "/history"):
        answer = web.get(f"/api/v1/torrents/{digest}{part}")
        assert answer.status_code == 200
        assert PASSKEY not in answer.text
    assert web.get(f"/api/v1/torrents/{digest}.torrent").status_code == 404
    assert web.get(f"/api/v1/torrents/{digest}.torrent", "operate").status_code == 200


def test_a_web_seed_with_a_key_in_it_leaves_in_no_way(own: Served) -> None:
    seeds = [f"https://seed.example/f?passkey={PASSKEY}"]
    write(own.store, begin(own.store), torrents=[torrent("Keyed seed", metadata={"webseeds": seeds})])
    digest = hex_of("Keyed seed")
    assert PASSKEY not in own.get(f"/api/v1/torrents/{digest}").text
    assert own.get(f"/api/v1/torrents/{digest}.torrent").status_code == 404
    assert own.get(f"/api/v1/torrents/{digest}.torrent", "operate").status_code == 200


def test_a_magnet_without_its_file_has_no_torrent_file(web: Served) -> None:
    answer = web.get(f"/api/v1/torrents/{hex_of('Only a magnet')}.torrent")
    assert answer.status_code == 404
    assert "not seen yet" in answer.json()["detail"]


@pytest.mark.parametrize("part", ["", ".torrent", "/files", "/sightings", "/history", "/magnet"])
def test_private_torrents_are_there_for_the_operator_only(web: Served, part: str) -> None:
    path = f"/api/v1/torrents/{hex_of('Secret holiday')}{part}"
    assert web.get(path).status_code == 404
    assert web.get(path, "read").status_code == 404
    assert web.get(path, "operate").status_code == 200


def test_a_file_is_known_by_its_md5_and_not_sent_twice(web: Served) -> None:
    first = web.get(f"/api/v1/torrents/{SERVER}.torrent")
    md5 = web.get(f"/api/v1/torrents/{SERVER}").json()["md5"]
    assert web.get(f"/api/v1/torrents/{md5}.torrent").content == first.content
    again = web.client.get(
        f"/api/v1/torrents/{SERVER}.torrent", headers={"If-None-Match": first.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("digest", ["../../etc/passwd", "..%2f..%2fkeys.json", "%00" * 20, "g" * 40])
def test_what_is_no_hash_leads_nowhere(web: Served, digest: str) -> None:
    assert web.get(f"/api/v1/torrents/{digest}.torrent").status_code in (404, 422)
