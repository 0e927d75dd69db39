"""Points, credits, bonus: what a page says that something costs, and whether it may be spent.

Nothing is ever bought by following a link. A cost that is not known is refused.
"""

from __future__ import annotations

import re

from harvester.model.site import PointsPolicy

_NUMBER = r"(\d{1,9}(?:\.\d{1,2})?)"
_UNIT = r"(?:金[币钱錢幣]|积分|積分|威望|魔力值?|贡献|金元|点数?|點|银元|铜币|points?|credits?|bonus|coins?|gold|баллов|очков)"
_COST = (
    re.compile(rf"(?:售价|价格|花费|消耗|需要|扣除|支付|售價|costs?|price|pay|spend|стоимость)\s?[:：]?\s?(?:<[^>]{{0,40}}>\s?)?{_NUMBER}\s?(?:<[^>]{{0,40}}>\s?)?{_UNIT}?", re.IGNORECASE),
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
