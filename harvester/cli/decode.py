"""`harvest decode`: what is inside a download link, with no site and no database."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec.structs import asdict
from rich.console import Console

from harvester.errors import DoneInPart, InputError, LinkRejected
from harvester.links import decode_link, extract_feed, extract_links, extract_text_links
from harvester.model.link import Decoded, LinkKind, PageLinks
from harvester.model.magnet import Magnet
from harvester.text.charset import decode_page


class Kind(StrEnum):
    """What is read."""

    LINK = "link"
    HTML = "html"
    TEXT = "text"
    XML = "xml"


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("decode")(decode)


def decode(
    links: Annotated[list[str], typer.Argument(metavar="LINK…|-", help="Links, or - for one on each line.")],
    base: Annotated[str | None, typer.Option(help="The page that relative links were found on.")] = None,
    kind: Annotated[
        Kind, typer.Option("--as", help="link: each is one link; html, text, xml: a FILE or - to search.")
    ] = Kind.LINK,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Unwrap thunder://, flashget://, qqdl://, fs2you:// links, magnets, redirectors, base64, and so on.

    Exit code 1 when nothing could be decoded, 3 when only a part could.
    """
    if kind is not Kind.LINK:
        _search(links, kind, base or "", as_json=as_json)
        return
    given = list(_given(links))
    refused = [link for link in given if not _decode_one(link, base, as_json=as_json, many=len(given) > 1)]
    if not given:
        raise InputError("no link was given", hint="name one, or write one on each line of the input")
    if refused and len(refused) < len(given):
        raise DoneInPart(f"{len(refused)} of {len(given)} links rejected")
    if refused:
        raise typer.Exit(1)


def _given(links: list[str]) -> Iterator[str]:
    for link in links:
        if link == "-":
            lines = sys.stdin.buffer.read().decode("utf-8", "replace").splitlines()
            yield from (line for line in lines if line.strip())
        else:
            yield link


def _decode_one(link: str, base: str | None, *, as_json: bool, many: bool) -> bool:
    try:
        decoded = decode_link(link, base)
    except LinkRejected as error:
        if as_json:
            _print_json(
                _with_input({"status": "reject", "reason": error.reason, "detail": error.why}, link, many)
            )
        else:
            Console(stderr=True, highlight=False, soft_wrap=True).print(
                f"{link[:120]}: rejected ({error.reason}{': ' + error.why if error.why else ''})",
                markup=False,
            )
        return False
    if as_json:
        _print_json(_with_input(_as_json(decoded), link, many))
    else:
        _print_plain(decoded)
    return True


def _with_input(answer: dict[str, Any], link: str, many: bool) -> dict[str, Any]:
    return {**answer, "input": link} if many else answer


def _as_json(decoded: Decoded) -> dict[str, Any]:
    """The decoded link; what it does not have is left out. Magnets in the names of their parameters."""
    answer: dict[str, Any] = {
        "status": "ok",
        "url": decoded.url,
        "chain": list(decoded.chain),
        "display": decoded.display,
        "lenient": decoded.lenient,
        "fetch_allowed": decoded.fetch_allowed,
    }
    if decoded.payload_encoding:
        answer["payload_encoding"] = decoded.payload_encoding
    if decoded.alternatives:
        answer["alternatives"] = list(decoded.alternatives)
    if decoded.magnet:
        answer["magnet"] = _magnet_json(decoded.magnet)
    if decoded.ed2k:
        answer["ed2k"] = asdict(decoded.ed2k)
    if decoded.discuz_aid:
        aid = decoded.discuz_aid
        answer["discuz_aid"] = {"aid": aid.aid, "k": aid.key, "t": aid.time, "uid": aid.uid, "tid": aid.tid}
    if decoded.file_name or decoded.file_size:
        answer["file"] = {"name": decoded.file_name, "size": decoded.file_size}
    if "fs2you" in decoded.chain:
        answer["fs2you"] = answer.get("file", {})
    if decoded.secret_params:
        answer["secret_params"] = list(decoded.secret_params)
    return answer


def _magnet_json(magnet: Magnet) -> dict[str, Any]:
    """Both infohashes always; of the rest what is there."""
    rest = {
        "dn": magnet.display_name,
        "tr": list(magnet.trackers),
        "xl": magnet.size,
        "ws": list(magnet.webseeds),
        "x.pe": list(magnet.peers),
        "so": magnet.select_only,
    }
    hashes = {"infohash_v1": magnet.infohash_v1, "infohash_v2": magnet.infohash_v2}
    return hashes | {name: value for name, value in rest.items() if value not in ("", [], None)}


def _print_plain(decoded: Decoded) -> None:
    console = Console(highlight=False, soft_wrap=True)
    console.print(decoded.url, markup=False)
    notes = [" > ".join(decoded.chain)]
    if decoded.display and decoded.display != decoded.url:
        notes.append(decoded.display)
    if decoded.lenient:
        notes.append("the wrapper breaks its own format")
    if not decoded.fetch_allowed and decoded.url.startswith("http"):
        notes.append("a private address: never fetched")
    for note in notes:
        console.print(f"  {note}", markup=False, style="dim")


def _search(names: list[str], kind: Kind, base: str, *, as_json: bool) -> None:
    for name in names:
        data = sys.stdin.buffer.read() if name == "-" else _read_file(name)
        found = _links_of(data, kind, base)
        left_out = {LinkKind.ASSET, LinkKind.PAGE} if kind is Kind.XML else {LinkKind.ASSET}
        links = [link for link in found.links if link.kind not in left_out]
        if as_json:
            _print_json(
                {
                    "status": "ok",
                    "links": [link.url for link in links],
                    "details": [
                        {"url": link.url, "kind": link.kind, "source": link.source, "chain": list(link.chain)}
                        for link in links
                    ],
                    "rejected": [asdict(refused) for refused in found.rejected],
                }
            )
            continue
        for link in links:
            typer.echo(link.url)


def _read_file(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise InputError(f"{name} cannot be read", why=error.strerror or str(error)) from error


def _links_of(data: bytes, kind: Kind, base: str) -> PageLinks:
    if kind is Kind.XML:
        return extract_feed(data, base)
    decoded = decode_page(data, "text/html" if kind is Kind.HTML else "text/plain")
    if kind is Kind.HTML:
        return extract_links(decoded.text, base, encoding=decoded.encoding)
    return extract_text_links(decoded.text)


def _print_json(answer: dict[str, Any]) -> None:
    typer.echo(json.dumps(answer, ensure_ascii=False))
