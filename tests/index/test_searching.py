"""What is found, in which order, and how it is counted."""

from __future__ import annotations

import pytest

from harvester.errors import UsageError
from harvester.index import answering
from harvester.index.compiling import Compiler
from harvester.model.query import FacetCount
from tests.index.conftest import Collection
from tests.store.builders import NOW, magnet, source, v1, v2, write


@pytest.fixture
def shelf(collection: Collection) -> Collection:
    """Some torrents of each kind."""
    collection.add("Ubuntu.22.04-LTS[x64]", "ubuntu.iso", "docs/Read_Me.txt", size=4_000_000_000)
    collection.add("Big.Buck.Bunny.1080p", "Big Buck Bunny/bunny.mkv", title="大雄兔 高清", size=700_000_000)
    collection.add("權力的遊戲 第8季", "第1集.mkv", size=9_000_000_000, private=True)
    collection.add("Amélie.2001.FRENCH", "amelie.mkv", metadata={"comment": "with subtitles"})
    collection.add("発進！ガンダム", "ｶﾞﾝﾀﾞﾑ.mp4", site="anime")
    return collection


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("ubuntu", ["Ubuntu.22.04-LTS[x64]"]),
        ("UBUNTU lts x64", ["Ubuntu.22.04-LTS[x64]"]),
        ("22.04", ["Ubuntu.22.04-LTS[x64]"]),
        ("ｕｂｕｎｔｕ", ["Ubuntu.22.04-LTS[x64]"]),
        ("ubun*", ["Ubuntu.22.04-LTS[x64]"]),
        ("ubun", []),
        ("read me", ["Ubuntu.22.04-LTS[x64]"]),
        ("amelie", ["Amélie.2001.FRENCH"]),
        ("AMÉLIE", ["Amélie.2001.FRENCH"]),
        ("subtitles", ["Amélie.2001.FRENCH"]),
        ("权力", ["權力的遊戲 第8季"]),
        ("力的", ["權力的遊戲 第8季"]),
        ("遊戲", ["權力的遊戲 第8季"]),
        ("的", ["權力的遊戲 第8季"]),
        ("戏", ["權力的遊戲 第8季"]),
        ("第1集", ["權力的遊戲 第8季"]),
        ("第8", ["權力的遊戲 第8季"]),
        ("力权", []),
        ("大雄", ["Big.Buck.Bunny.1080p"]),
        ("ガンダム", ["発進！ガンダム"]),
        ("ンダ", ["発進！ガンダム"]),
        ('"big buck"', ["Big.Buck.Bunny.1080p"]),
        ('"buck big"', []),
        ('"big bunny"', []),
        ('"buck bunny 1080p"', ["Big.Buck.Bunny.1080p"]),
        ('"权力的游戏"', ["權力的遊戲 第8季"]),
        ('"游戏 第8季"', ["權力的遊戲 第8季"]),
        ('"read me"', ["Ubuntu.22.04-LTS[x64]"]),
        ("ubuntu -lts", []),
        ("ubuntu OR amelie", ["Amélie.2001.FRENCH", "Ubuntu.22.04-LTS[x64]"]),
        ("(ubuntu OR amelie) -french", ["Ubuntu.22.04-LTS[x64]"]),
        ("ext:iso", ["Ubuntu.22.04-LTS[x64]"]),
        ("ext:txt", ["Ubuntu.22.04-LTS[x64]"]),
        ("site:anime", ["発進！ガンダム"]),
        ("lang:fr", ["Amélie.2001.FRENCH"]),
        ("lang:ja", ["発進！ガンダム"]),
        ("private:yes", ["權力的遊戲 第8季"]),
        ("size:>5GB", ["權力的遊戲 第8季"]),
        ("size:4GB..4.5GB", ["Ubuntu.22.04-LTS[x64]"]),
        ("size:4000000000", ["Ubuntu.22.04-LTS[x64]"]),
        ("size:>4000000000 size:<9000000000", []),
        ("files:2 -ext:png", ["Ubuntu.22.04-LTS[x64]"]),
        ("-ubuntu -amelie -ext:mkv", ["発進！ガンダム"]),
        ("date:<2020", []),
        ("nothing-like-it", []),
    ],
)
def test_a_query_finds_what_it_says(shelf: Collection, query: str, names: list[str]) -> None:
    assert sorted(shelf.names(query)) == sorted(names)
    assert shelf.find(query).total == len(names)


def test_every_part_of_two_characters_of_a_chinese_name_finds_it(collection: Collection) -> None:
    name = "甄嬛传全集双语字幕"
    collection.add(name)
    for start in range(len(name) - 1):
        for end in range(start + 2, len(name) + 1):
            assert collection.names(name[start:end]) == [name]


def test_a_name_ranks_before_a_title_and_a_title_before_a_path(collection: Collection) -> None:
    collection.add("one", "pack/solaris.avi")
    collection.add("two", title="Solaris")
    collection.add("Solaris")
    assert collection.names("solaris") == ["Solaris", "two", "one"]


def test_a_whole_word_ranks_before_the_same_characters_across_words(collection: Collection) -> None:
    collection.add("中国电影")
    collection.add("发展中国家")
    assert collection.names("中国") == ["中国电影", "发展中国家"]


def test_words_next_to_each_other_rank_before_words_apart(collection: Collection) -> None:
    collection.add("04 or 22")
    collection.add("22.04 or")
    assert collection.names("22.04")[0] == "22.04 or"


def test_without_words_the_newest_come_first(collection: Collection) -> None:
    collection.fill(["a", "b", "c"])
    assert collection.names("") == ["c", "b", "a"]


@pytest.mark.parametrize("query", ["hash:{}", "{}"])
@pytest.mark.parametrize("in_index", [True, False])
def test_a_hash_finds_its_torrent_even_before_it_is_indexed(
    collection: Collection, query: str, in_index: bool
) -> None:
    collection.add("other")
    collection.follower.catch_up()
    collection.add("wanted", infohash_v2=v2("wanted"))
    if in_index:
        collection.follower.catch_up()
    md5 = collection.store.variants(collection.store.search_names(["wanted"])[0].id)[0].md5
    for digest in (v1("wanted"), v2("wanted"), v2("wanted")[:20], md5):
        found = collection.find(query.format(digest.hex()))
        assert [row.torrent.name for row in found.rows] == ["wanted"]
        assert found.total == 1
    assert collection.find("hash:" + "0" * 40).rows == ()


def test_a_hash_goes_together_with_other_conditions(collection: Collection) -> None:
    collection.add("wanted")
    digest = v1("wanted").hex()
    assert collection.names(f"hash:{digest} wanted") == ["wanted"]
    assert collection.names(f"hash:{digest} -wanted") == []
    assert collection.names(f"-hash:{digest}") == []


def test_digits_like_a_hash_are_found_in_a_name_when_they_are_none(collection: Collection) -> None:
    digits = "0123456789abcdef0123456789abcdef01234567"
    collection.add(f"file {digits}")
    assert collection.names(digits) == [f"file {digits}"]


@pytest.mark.parametrize("sort", ["date", "size"])
@pytest.mark.parametrize("ascending", [True, False])
def test_pages_by_key_give_every_torrent_once_and_in_order(
    collection: Collection, sort: str, ascending: bool
) -> None:
    # Many at one moment and of one size, and some whose size is not known.
    crawl = collection.crawl
    for number in range(40):
        one = magnet(f"m{number}", size=None if number % 4 == 0 else 1000 * (number % 3))
        write(collection.store, crawl, now=NOW + number // 10, torrents=[one])
    collection.follower.catch_up()
    seen: list[tuple[float, str]] = []
    after = None
    while True:
        page = collection.find("", sort=sort, ascending=ascending, limit=7, after=after)
        assert page.total == 40
        for row in page.rows:
            size = -1 if row.torrent.size is None else row.torrent.size
            seen.append((row.torrent.first_seen if sort == "date" else size, row.torrent.name))
        after = page.next
        if after is None:
            break
    assert len(seen) == len({name for _, name in seen}) == 40
    values = [value for value, _ in seen]
    assert values == sorted(values, reverse=not ascending)


def test_relevance_is_paged_by_offset_without_gaps(collection: Collection) -> None:
    collection.fill([f"word {number}" for number in range(25)])
    collection.follower.catch_up()
    pages = [collection.find("word", limit=10, offset=offset).rows for offset in (0, 10, 20)]
    assert [len(page) for page in pages] == [10, 10, 5]
    assert len({row.torrent.id for page in pages for row in page}) == 25


@pytest.mark.parametrize(
    "options",
    [
        {"offset": 9_990, "limit": 20},
        {"offset": -1},
        {"limit": 1001},
        {"after": "date.5"},
        {"after": "date.x", "sort": "date"},
        {"after": "size.5", "sort": "date"},
        {"after": "date.5", "sort": "date", "offset": 5},
    ],
)
def test_options_that_do_not_go_together_are_refused(
    collection: Collection, options: dict[str, object]
) -> None:
    collection.add("word")
    collection.follower.catch_up()
    with pytest.raises(UsageError):
        collection.find("word", **options)


def test_facets_count_all_that_was_found(shelf: Collection) -> None:
    shelf.add("Some.iso.pack", "a.iso", "b.iso", where=source("p", wall="login"))
    shelf.follower.catch_up()
    facets = shelf.find("-ubuntu", facets=("site", "ext", "lang", "type", "private", "wall"), limit=1).facets
    assert facets["site"] == (FacetCount("forum", 4), FacetCount("anime", 1))
    assert facets["ext"][0] == FacetCount("mkv", 3)
    assert {one.value: one.count for one in facets["lang"]} == {"zh": 1, "fr": 1, "ja": 1}
    assert facets["type"] == (FacetCount("video", 4), FacetCount("software", 1))
    assert facets["private"] == (FacetCount("no", 4), FacetCount("yes", 1))
    assert facets["wall"] == (FacetCount("none", 4), FacetCount("login", 1))


def test_private_torrents_can_be_left_out(shelf: Collection) -> None:
    shelf.follower.catch_up()
    assert shelf.find("", private=False).total == 4
    assert shelf.find("权力", private=False).rows == ()
    private = shelf.find("权力").rows[0].torrent
    assert private.infohash_v1 is not None
    assert shelf.find(f"hash:{private.infohash_v1.hex()}", private=False).total == 0


def test_rows_name_the_sites_that_showed_them(collection: Collection) -> None:
    collection.add("both")
    collection.add("both", site="other")
    collection.follower.catch_up()
    assert set(collection.find("both").rows[0].sites) == {"forum", "other"}
    assert collection.names("site:other") == ["both"]


@pytest.mark.parametrize("count", [6000])
def test_the_ends_of_many_are_found_without_looking_at_all(
    collection: Collection, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "MANY", 1000)
    crawl = collection.crawl
    many = [magnet(f"m{number}", source(f"p{number}"), size=number) for number in range(count)]
    for start in range(0, count, 1000):
        write(collection.store, crawl, now=NOW + start, torrents=many[start : start + 1000])
    collection.follower.catch_up()
    assert collection.find("", sort="size", limit=3).rows[0].torrent.size == count - 1
    assert collection.find("", sort="size", ascending=True, limit=3).rows[0].torrent.size == 0
    for ascending in (True, False):
        sizes: list[int | None] = []
        after = None
        while len(sizes) < count:
            page = collection.find("", sort="size", limit=1000, ascending=ascending, after=after)
            sizes += [row.torrent.size for row in page.rows]
            after = page.next
        assert sizes == sorted(range(count), reverse=not ascending)
    page = collection.find("", sort="date", limit=1000)
    assert {row.torrent.first_seen for row in page.rows} == {NOW + count - 1000}
    assert (
        collection.find("", sort="date", limit=10, after=page.next).rows[0].torrent.first_seen
        < NOW + count - 1000
    )


def test_what_ranks_highest_is_the_same_however_it_is_found(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("red", "green", "blue", "sea", "moon", "红楼梦", "大雄兔")
    many = []
    for number in range(400):
        chosen = [word for at, word in enumerate(words) if number >> (at % 5) & 1 or number % (at + 3) == 0]
        name = " ".join([*chosen, *(["red"] * (number % 4)), f"n{number}"])
        where = source(f"p{number}", title=f"{words[number % 7]} page")
        many.append(magnet(name, where, size=number * 1000, private=number % 9 == 0))
    write(collection.store, collection.crawl, now=NOW, torrents=many)
    collection.follower.catch_up()
    queries = ("red", "red sea", "red -moon", "sea size:>100kB", "red OR blue", "红楼", "红楼梦 -red", "mo*")
    for query in queries:
        for private in (True, False):
            for offset in (0, 7, 60):
                pages = []
                for threshold in (0, 10**9):
                    monkeypatch.setattr(answering, "MANY_RANKED", threshold)
                    with monkeypatch.context() as one:
                        if threshold:
                            one.setattr(Compiler, "is_one_term", lambda *_: False)
                        found = collection.find(query, private=private, offset=offset, facets=("lang",))
                    pages.append(([row.torrent.id for row in found.rows], found.total, found.facets))
                assert pages[0] == pages[1], (query, private, offset)
                plain = collection.find(query, private=private, offset=offset)
                assert plain.total == found.total
