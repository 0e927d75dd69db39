"""Where a site's login form may be, the likeliest place first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harvester.access import wall_urls
from harvester.access.knowledge import LoginKnowledge
from harvester.access.login_choice import choose_login_form
from harvester.access.login_plan import LoginPlan, Read, base_of, joined
from harvester.access.target import target_refusal

_LOGIN_LINK = re.compile(
    r"^\W{0,4}(?:log ?-?in|sign ?-?in|log ?-?on|member login|登[录陆入錄]|登录/注册|войти|вход|ログイン|로그인|anmelden|einloggen|connexion"
    r"|se connecter|iniciar sesi[óo]n|acceder|entrar|accedi|zaloguj.{0,5}|inloggen|giriş.{0,5}|přihl.{0,8})\W{0,4}$",
    re.IGNORECASE,
)
_KNOWN_PATHS = (
    *("login.php", "/login", "ucp.php?mode=login", "member.php?mod=logging&action=login"),
    *("index.php?action=login", "member.php?action=login", "/accounts/login/", "index.php?m=u&c=login"),
)


def login_pages(plan: LoginPlan, start: Read, knowledge: LoginKnowledge) -> Sequence[str]:
    """Where a login form may be, the likeliest first; the start page itself where it is a login page."""
    found: list[str] = []
    if wall_urls.is_login(start.url) and choose_login_form(start.forms, knowledge) is not None:
        found.append(plan.start)
    if plan.hint:
        found.append(plan.hint)
    links: list[tuple[int, str]] = []
    for node in start.tree.css("a[href]")[:3_000]:
        href = (node.attributes.get("href") or "").strip()
        if href.lower().startswith(("javascript:", "mailto:", "#")):
            continue
        by_text = bool(_LOGIN_LINK.match(" ".join(node.text(separator=" ")[:100].split())))
        by_url = wall_urls.is_login(href)
        if by_text or by_url:
            links.append((by_text + by_url, joined(base_of(start), href)))
    links.sort(key=lambda link: -link[0])
    found += [url for rank, url in links[:2] if rank == 2]
    if knowledge.path:
        found.append(joined(start.url, knowledge.path))
    found += [url for _, url in links[:3]]
    found += [joined(start.url, path) for path in _KNOWN_PATHS if not links]
    if choose_login_form(start.forms, knowledge) is not None and not links:
        found.insert(0, plan.start)
    return [url for url in found if url and not target_refusal(url, plan.hosts, allow_insecure=True)]
