"""Points, spent within the operator's limits: counted before they go, never twice on an item."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from msgspec.structs import replace

from harvester.access.login_plan import Read
from harvester.access.points import spending_refusal
from harvester.access.prices import may_tell_a_price, prices_beside
from harvester.access.purchase import Offer, PurchasePlan, PurchaseResult, buy, offers_on
from harvester.access.reply import DAY
from harvester.crawl.account_work import AccountWork
from harvester.crawl.analysis import Page
from harvester.errors import AccessError, FetchError
from harvester.model.http import JarKey
from harvester.model.stored import Event
from harvester.model.wall import WallKind
from harvester.text.tree import parse_tree

_HISTORY = 100_000


class Buyer:
    """Pays as one account on one site."""

    def __init__(
        self,
        work: AccountWork,
        *,
        alert: Callable[[str, str], None],
    ) -> None:
        self._work = work
        self._site = work.site
        self._turns = work.turns
        self._committer = work.committer
        self._alert = alert
        self._clock = work.clock
        self._past: list[tuple[float, str, float]] | None = None
        """When, for what, how much."""
        self._refused: set[tuple[str, str]] = set()

    async def buy_on(self, url: str, page: Page, jar: JarKey) -> tuple[bool, str]:
        """Buy what a page sells, as far as the limits go; whether it did, and why not the rest."""
        policy = self._site.points
        if policy.max_per_item <= 0 or policy.max_per_day <= 0:
            return False, spending_refusal(policy, None)
        engine = self._work.software
        read = Read(url, page.html, page.encoding, parse_tree(page.html), 200)
        offers = offers_on(read, engine.pay_form if engine is not None else "")
        if not offers:
            return False, "the page names no price that could be paid by a form; nothing is bought by a link"
        bought, why = False, ""
        for offer in offers:
            refusal = await self._refusal(offer.item, offer.price)
            if refusal:
                why = refusal
                self._note_refusal(offer, refusal)
                continue
            result = await self._buy(read, offer, jar)
            bought = bought or result.sent
            why = why if result.verdict == "bought" else f"not bought ({result.verdict}): {result.why}"
        return bought, why

    def for_points(self, url: str, page: Page, downloads: Collection[str]) -> dict[str, str]:
        """The files that would cost points by being asked for, and what would open each."""
        if not may_tell_a_price(page.html):
            return {}
        engine = self._work.software
        read = Read(url, page.html, page.encoding, parse_tree(page.html), 200)
        prices = prices_beside(read, downloads, asks_first=engine is not None and bool(engine.pay_form))
        return {link: self._left_because(price) for link, price in prices.items()}

    def _left_because(self, price: float | None) -> str:
        cost = "" if price is None else f"it costs {price:g} points, and "
        refusal = spending_refusal(self._site.points, price) if price is not None else ""
        return refusal or f"{cost}the link would take them at once: nothing is bought by a link"

    async def _refusal(self, item: str, price: float | None) -> str:
        """Why not even the form is asked for; the balance is told by the form only."""
        past = await self._history()
        if any(paid == item for _, paid, _ in past):
            return "points were spent on it before, and nothing is bought twice"
        policy = replace(self._site.points, min_balance=0)
        return spending_refusal(policy, price, spent_today=self._spent_today(past))

    def _spent_today(self, past: list[tuple[float, str, float]]) -> float:
        since = self._clock() - DAY
        return sum(cost for at, _, cost in past if at > since)

    async def _buy(self, read: Read, offer: Offer, jar: JarKey) -> PurchaseResult:
        past = await self._history()
        paid = 0.0

        def allowed(price: float | None, balance: float | None) -> str:
            nonlocal paid
            paid = price or 0.0
            spent = self._spent_today(past)
            return spending_refusal(self._site.points, price, spent_today=spent, balance=balance)

        async def count() -> None:
            now = self._clock()
            detail = {"item": offer.item, "points": paid, "page": read.url}
            event = Event(now, "purchase", self._site.site, detail)
            await self._committer.call(lambda store: store.record(event))
            past.append((now, offer.item, paid))

        plan = PurchasePlan(
            page=read,
            offer=offer,
            hosts=self._site.hosts,
            allowed=allowed,
            encoding=self._site.encoding,
            allow_insecure=self._site.account.allow_insecure,
            patience=self._work.patience,
        )
        sent = len(past)
        try:
            result = await self._turns.drive(buy(plan), jar, before_body=count)
        except (FetchError, AccessError) as error:
            result = PurchaseResult("unknown", str(error), sent=len(past) > sent)
        self._conclude(offer, result)
        return result

    def _conclude(self, offer: Offer, result: PurchaseResult) -> None:
        if not result.sent:
            self._note_refusal(offer, f"{result.verdict}: {result.why}")
            return
        detail = {"item": offer.item, "verdict": result.verdict, "why": result.why[:160]}
        self._record("purchase_result", detail)
        if result.verdict != "bought":
            self._alert(
                "points", f"points were sent for {offer.item}, and it is {result.verdict}: {result.why}"
            )

    def _note_refusal(self, offer: Offer, why: str) -> None:
        if (offer.item, why) not in self._refused:
            self._refused.add((offer.item, why))
            self._record("purchase_refused", {"item": offer.item, "points": offer.price, "why": why})

    def _record(self, kind: str, detail: Mapping[str, object]) -> None:
        self._committer.findings.events.append(Event(self._clock(), kind, self._site.site, detail))

    async def _history(self) -> list[tuple[float, str, float]]:
        if self._past is None:
            site = self._site.site
            events = await self._committer.call(
                lambda store: store.events(site=site, kind="purchase", limit=_HISTORY)
            )
            self._past = [
                (one.at, str(one.detail.get("item", "")), float(str(one.detail.get("points", 0.0))))
                for one in events
            ]
        return self._past


def sells(page: Page) -> bool:
    """Whether a page says that something in it is for points."""
    return any(wall.kind is WallKind.PAY for wall in page.walls)
