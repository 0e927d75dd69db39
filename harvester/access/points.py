"""Points, credits, bonus: what a page says that something costs, and whether it may be spent.

Nothing is ever bought by following a link. A cost that is not known is refused.
"""

from __future__ import annotations

import re

from harvester.model.site import PointsPolicy

_OF = r"\s?(?:[(（][^()（）]{1,12}[)）])?\s?[:：]?\s?"
"""Between a word and its number: `售价(金钱): `."""
_NUMBER = r"(\d{1,9}(?:\.\d{1,2})?)"
_UNIT = r"(?:金[币钱錢幣]|积分|積分|威望|魔力值?|贡献|金元|点数?|點|银元|铜币|points?|credits?|bonus|coins?|gold|баллов|очков)"
_COST = (
    re.compile(rf"(?:售价|价格|花费|消耗|需要|扣除|支付|售價|costs?|price|pay|spend|стоимость){_OF}(?:<[^>]{{0,40}}>\s?)?{_NUMBER}\s?(?:<[^>]{{0,40}}>\s?)?{_UNIT}?", re.IGNORECASE),
    re.compile(rf"{_NUMBER}\s?(?:<[^>]{{0,40}}>\s?)?{_UNIT}\s?(?:购买|才能|下载|to (?:download|buy|view)|will be (?:deducted|charged))", re.IGNORECASE),
)  # fmt: skip
_SPENDS = re.compile(
    r"[?&](?:action=(?:attachcredit|attachpay|pay|buytopic|buythread)|mod=(?:misc|pay)&(?:[^#]*&)?action=(?:pay|attachpay)|usetoken=1|letdown=1|buy=)",
    re.IGNORECASE,
)


def cost_in(text: str) -> float | None:
    """What a notice says that something costs, None when it names no number."""
    for pattern in _COST:
        if found := pattern.search(text[:20_000]):
            return float(next(group for group in found.groups() if group))
    return None


_PRICE = (
    re.compile(
        rf"(?:售价|售價|价格|價格)\s?(?:[(（][^()（）]{{1,12}}[)）])?\s?[:：]?\s?{_NUMBER}", re.IGNORECASE
    ),
    re.compile(
        rf"(?:花费|消耗|扣除|支付|costs?|price|pay|spend|стоимость|цена){_OF}{_NUMBER}\s?(?:个|點|点)?\s?{_UNIT}",
        re.IGNORECASE,
    ),
)


def price_in(text: str) -> float | None:
    """The price of a thing in the few words beside it, None when they name none (or none at all: 0)."""
    for pattern in _PRICE:
        if found := pattern.search(text[:1_000]):
            return float(found[1]) or None
    return None


_BALANCE = re.compile(
    rf"(?:购买后余额|購買後餘額|余额|餘額|balance(?: after(?: purchase)?)?|remaining){_OF}(-?\d{{1,9}})",
    re.IGNORECASE,
)
_AFTER = re.compile(r"购买后|購買後|after|remaining", re.IGNORECASE)


def balance_in(text: str) -> float | None:
    """The balance before the purchase that a form tells of, None when it tells none."""
    found = _BALANCE.search(text[:20_000])
    if found is None:
        return None
    balance = float(found[1])
    return balance + (cost_in(text) or 0.0) if _AFTER.search(found.group()) else balance


def spends(url: str) -> bool:
    """Whether asking for a URL would spend points by itself, as Discuz' `attachcredit` does."""
    return bool(_SPENDS.search(url))


def spending_refusal(
    policy: PointsPolicy, cost: float | None, *, spent_today: float = 0.0, balance: float | None = None
) -> str:
    """Why points may not be spent on an item, "" when the operator's limits allow it."""
    if policy.max_per_item <= 0 or policy.max_per_day <= 0:
        return "spending points is not allowed in the site file (points: max_per_item, max_per_day)"
    if cost is None:
        return "the page does not say what it costs"
    if cost > policy.max_per_item:
        return f"it costs {cost:g} points, the limit is {policy.max_per_item} an item (points: max_per_item)"
    if spent_today + cost > policy.max_per_day:
        return f"the limit of {policy.max_per_day} points a day is reached (points: max_per_day)"
    if policy.min_balance and (balance is None or balance - cost < policy.min_balance):
        return f"less than {policy.min_balance} points would remain (points: min_balance)"
    return ""


def may_have_changed(policy: PointsPolicy, said: str) -> bool:
    """Whether an item that was refused with `said` may be worth another look under this policy."""
    if policy.max_per_item <= 0 or policy.max_per_day <= 0:
        return False
    return f"the limit is {policy.max_per_item} an item" not in said and "nothing is bought" not in said
