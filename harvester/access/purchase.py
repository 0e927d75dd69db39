"""Spending points on one item: its price read from the page and from the form, then sent once.

Only software whose engine file names the page that shows a price and asks first (`pay_form`)
is paid: elsewhere a link may spend by being asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import re2
from msgspec import Struct
from selectolax.lexbor import LexborNode

from harvester.access.flow import Flow, Wait, ask
from harvester.access.form_filling import fill, pairs_of
from harvester.access.forms import Form
from harvester.access.login_plan import Read, base_of, joined, read_page
from harvester.access.points import balance_in, cost_in
from harvester.access.sending import form_request
from harvester.access.target import target_refusal
from harvester.access.verdicts import messages, purchase_verdict
from harvester.access.wall_page import WallPage, text_of
from harvester.model.http import Request

MOST_OFFERS = 50
MOST_HOPS = 5
_ITEM = re.compile(r"[?&;](aid|tid|id|pid)=(\d{1,12})", re.IGNORECASE)
_MANY = re.compile(r"all|more|全部", re.IGNORECASE)
_MOST_TEXT = 1_500


class Offer(Struct, frozen=True):
    """Something that a page sells: `url` shows the form, `item` is its identity on the site."""

    item: str
    url: str
    price: float | None


class PurchaseResult(Struct, frozen=True):
    """`verdict` is `bought`, `refused`, `changed` (other price than shown), `no_form` or `unknown`.

    `sent`: the form went out. `price` is what the form said.
    """

    verdict: str
    why: str = ""
    price: float | None = None
    sent: bool = False


class PurchasePlan(Struct, frozen=True):
    """`allowed` says why a price (and the balance, where it is told) may not be paid, "" when it may."""

    page: Read
    offer: Offer
    hosts: tuple[str, ...]
    allowed: Callable[[float | None, float | None], str]
    encoding: str = ""
    allow_insecure: bool = False
    patience: float = 3.0


def offers_on(page: Read, pattern: str) -> list[Offer]:
    """What a page sells under addresses of that pattern, each item once, with the price beside the link."""
    if not pattern:
        return []
    wanted = re2.compile(pattern)
    found: dict[str, Offer] = {}
    for link in page.tree.css("a[href]")[:3_000]:
        url = joined(base_of(page), (link.attributes.get("href") or "").strip())
        named = {name.lower(): number for name, number in _ITEM.findall(url)}
        if not named or not wanted.search(url):
            continue
        item = f"attachment:{named['aid']}" if "aid" in named else f"thread:{named.get('tid', '')}"
        price = _price_beside(link)
        if item not in found or (found[item].price is None and price is not None):
            found[item] = Offer(item, url, price)
        if len(found) >= MOST_OFFERS:
            break
    return list(found.values())


def _price_beside(link: LexborNode) -> float | None:
    """The price in what the link stands in: the nearest box that names one."""
    node: LexborNode | None = link
    for _ in range(5):
        if node is None or node.tag in ("body", "html", "form"):
            return None
        text = text_of(node)
        if len(text) > _MOST_TEXT:
            return None
        if (price := cost_in(text)) is not None:
            return price
        node = node.parent
    return None


def buy(plan: PurchasePlan) -> Flow[PurchaseResult]:
    """Ask for the form, compare its price with what the page said, and send it once."""
    offer = plan.offer
    if refusal := target_refusal(offer.url, plan.hosts, allow_insecure=plan.allow_insecure):
        return PurchaseResult("refused", refusal)
    shown = read_page((yield from ask(Request(offer.url, referer=plan.page.url))), plan.encoding)
    form = _form_of(shown, offer)
    if form is None:
        said = messages(WallPage(shown.html, shown.tree)).strip().splitlines()
        return PurchaseResult("no_form", said[0][:160] if said else "the page shows no form to pay with")
    price = cost_in(form.text)
    if price is None or price != offer.price:
        return PurchaseResult("changed", f"the page said {offer.price}, the form says {price}", price)
    if refusal := plan.allowed(price, balance_in(form.text)):
        return PurchaseResult("refused", refusal, price)
    if refusal := target_refusal(form.action, plan.hosts, allow_insecure=plan.allow_insecure):
        return PurchaseResult("refused", refusal, price)
    button = next((one for one in form.submits if not _MANY.search(one.name)), None)
    filled = fill(form, roles={}, submit=button)
    yield Wait(plan.patience)
    request = form_request(filled, pairs_of(filled, None))
    for _ in range(MOST_HOPS):
        response = yield from ask(request)
        if not response.next_url or target_refusal(
            response.next_url, plan.hosts, allow_insecure=plan.allow_insecure
        ):
            break
        request = Request(response.next_url, referer=request.url, secret=True)
    page = read_page(response, plan.encoding)
    text = messages(WallPage(page.html, page.tree))
    return PurchaseResult(purchase_verdict(text) or "unknown", text[:160], price, True)


def _form_of(page: Read, offer: Offer) -> Form | None:
    """The form that pays for this very item: it names it, and nothing in it asks for a secret."""
    number = offer.item.partition(":")[2]
    for form in page.forms:
        if form.method != "post" or form.passwords:
            continue
        named = f"{form.action} {form.id} {form.name}".lower()
        values = {control.value for control in form.controls if control.kind == "hidden"}
        if "pay" in named and (number in values or number in dict(_ITEM.findall(form.action)).values()):
            return form
    return None
