"""What the text room and the wall recognition cost for one page: ./dev bench text.

Prints microseconds a page, the best of several rounds, for pages made here: the 5 KB page with 20 links that
the crawl benchmark serves, the same in Chinese as UTF-8 and as GBK, and a text of 800 words.
"""

from __future__ import annotations

import platform
import random
import timeit
from collections.abc import Callable

from harvester.access.walls import recognise_wall
from harvester.text.charset import decode_page
from harvester.text.fingerprint import NearDuplicates, fingerprint
from harvester.text.page import analyse
from harvester.text.tree import parse_tree

_LATIN = [
    "release",
    "notes",
    "torrent",
    "mirror",
    "file",
    "download",
    "season",
    "episode",
    "archive",
    "kernel",
]
_CHINESE = [
    "电影",
    "下载",
    "字幕",
    "高清",
    "剧情",
    "简介",
    "发布",
    "论坛",
    "种子",
    "文件",
    "版本",
    "我们",
    "一个",
    "这个",
]


def page(words: list[str], size: int) -> str:
    """A page of about `size` characters with 20 links, a menu, a heading and paragraphs."""
    choose = random.Random(1)
    links = "".join(
        f'<li><a href="/topic/{n}?page={n}">{" ".join(choose.choices(words, k=4))}</a></li>'
        for n in range(20)
    )
    html = f"<html><head><title>{' '.join(words[:5])}</title></head><body><ul>{links}</ul><h1>{words[0]}</h1>"
    while len(html) < size - 14:
        html += f"<p>{' '.join(choose.choices(words, k=30))}.</p>"
    return html + "</body></html>"


def measure(name: str, work: Callable[[], object], number: int = 300) -> None:
    """Print the best of five rounds."""
    best = min(timeit.repeat(work, number=number, repeat=5)) / number
    print(f"{name:46} {best * 1e6:8.1f} us")


def measure_page(name: str, html: str) -> None:
    """Print what one parsed page costs."""
    tree = parse_tree(html)
    measure(f"parse {name}", lambda: parse_tree(html))
    measure(f"analyse {name}, parsed already", lambda: analyse(html, tree=tree))
    measure(
        f"recognise walls in {name} without any",
        lambda: recognise_wall("https://example.org/t/1", 200, {}, html, tree=tree),
    )


def main() -> None:
    """Run all measurements."""
    print(f"{platform.machine()}, Python {platform.python_version()}")
    english, chinese = page(_LATIN, 5_000), page(_CHINESE, 2_500)
    utf8, gbk = chinese.encode(), chinese.encode("gbk")
    latin = english.encode()
    measure("decode 5 KB UTF-8, named in the header", lambda: decode_page(latin, "text/html; charset=utf-8"))
    measure("decode 5 KB UTF-8, not named", lambda: decode_page(latin, "text/html"))
    measure(
        "decode Chinese UTF-8, named in the header", lambda: decode_page(utf8, "text/html; charset=utf-8")
    )
    measure("decode Chinese GBK, named in the header", lambda: decode_page(gbk, "text/html; charset=gbk"))
    measure("decode Chinese GBK, not named", lambda: decode_page(gbk, "text/html"), 30)
    for name, html in (("5 KB English", english), ("Chinese", chinese)):
        measure_page(name, html)
    words = random.Random(2).choices([f"{a}{b}" for a in _LATIN for b in _LATIN], k=800)
    text = " ".join(words)
    measure("fingerprint of 800 words", lambda: fingerprint(text))
    seen = NearDuplicates()
    for seed in range(5_000):
        seen.first_like(str(seed), fingerprint(" ".join(random.Random(seed).choices(words, k=60))))
    new = fingerprint(text)
    seen.first_like("x", new)
    measure("look up among 5,000 fingerprints", lambda: seen.first_like("y", new))


if __name__ == "__main__":
    main()
