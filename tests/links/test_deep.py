from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

from harvester.links.collect import Collector
from harvester.links.deep import DeepReader, TextReader
from harvester.links.resolve import LinkMemo, Resolver
from harvester.links.signs import Signs
from tests.links.vectors import FILE, MAGNET, thunder


class _NoAnchors:
    def read_anchor(self, node: LexborNode, attributes: dict[str, str | None]) -> None:
        pass

    def anchor_of(self, node: LexborNode, attributes: dict[str, str | None]) -> str:
        return "anchor"


def _read(html: str, *, attributes: bool = False, text: bool = False, scripts: bool = False) -> list[str]:
    collector = Collector(Resolver("http://a.example/", "utf-8", frozenset(), LinkMemo()))
    root = LexborHTMLParser(html).root
    assert root is not None
    DeepReader(collector, _NoAnchors(), Signs(attributes=attributes, text=text, scripts=scripts)).read(root)
    return [link.url for link in collector.finished()]


def test_only_what_the_signs_ask_for_is_read() -> None:
    html = f"<p>{MAGNET}</p><i x='{thunder(FILE)}'></i><script>x='ftp://a.example/1'</script>"
    assert _read(html, text=True) == [MAGNET]
    assert _read(html, attributes=True) == [FILE]
    assert _read(html, scripts=True) == ["ftp://a.example/1"]


def test_text_flows_across_inline_elements_and_ends_at_blocks() -> None:
    half = MAGNET[:50], MAGNET[50:]
    assert _read(f"<p>{half[0]}<b>{half[1]}</b>", text=True) == [MAGNET]
    assert _read(f"<p>{half[0]}<p>{half[1]}", text=True) == []
    assert _read(f"{half[0]}<br>{half[1]}", text=True) == []
    assert _read(f"<table><td>{half[0]}</td><td>{half[1]}</td></table>", text=True) == []


def test_styles_and_scripts_are_no_text() -> None:
    assert _read(f"<style>{MAGNET}</style><script>{MAGNET}</script>", text=True) == []


def test_plain_text_is_read_without_a_page() -> None:
    collector = Collector(Resolver("", "utf-8", frozenset(), LinkMemo()))
    TextReader(collector).read(f"x {MAGNET} y")
    assert [link.url for link in collector.finished()] == [MAGNET]
