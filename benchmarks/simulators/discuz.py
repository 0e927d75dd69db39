"""Discuz! X3 with and without rewritten URLs.

From the shipped templates: links to one thread in five forms (list, page links, last post, new window,
print), profiles beside every post, quote and report links, filters and sort orders of a list, an archiver
that shows everything again as plain text, a mobile view, attachment links that differ on every view.
"""

from __future__ import annotations

import base64
from typing import ClassVar

from benchmarks.simulators.base import Target, paged
from benchmarks.simulators.discuz_pages import DiscuzPages
from harvester.model.site import Role


class Discuz(DiscuzPages):
    """URLs with parameters: `forum.php?mod=viewthread&tid=…`. After a move: rewritten."""

    family: ClassVar[str] = "discuz"
    variants: ClassVar[dict[str, Role]] = {
        "filtered": Role.LIST,
        "guide": Role.LIST,
        "variant": Role.DETAIL,
        "jump": Role.DETAIL,
    }
    can_move: ClassVar[bool] = True
    cookies: ClassVar[dict[str, str]] = {"aB3d_2132_saltkey": "Kx7Yt2Qp", "aB3d_2132_sid": "r4T9wQ"}

    def robots(self) -> str:
        """The shipped one, but for the line that would forbid every attachment."""
        return (
            "User-agent: *\nDisallow: /api/\nDisallow: /data/\nDisallow: /source/\nDisallow: /install/\n"
            "Disallow: /template/\nDisallow: /config/\nDisallow: /uc_client/\nDisallow: /uc_server/\n"
            "Disallow: /admin.php\nDisallow: /search.php\nDisallow: /member.php\n"
        )

    def successor(self, target: Target, path: str) -> str | None:
        """After the move the parameter forms of boards and threads redirect."""
        if self.rewritten or not self.moved or path.endswith(".html"):
            return None
        if target.page == "board":
            return f"{self.origin}/{self._board_url(*target.args)}"
        if target.page == "thread":
            return f"{self.origin}/{self._thread_url(*target.args)}"
        return None

    def route(self, path: str, query: dict[str, str]) -> Target | None:
        """Every URL that the templates make."""
        name = path.strip("/")
        if name in ("", "index.php"):
            return Target(Role.START, "index", "index")
        if name.startswith("archiver"):
            return self._archiver(name)
        if name.endswith(".html"):
            return self._rewritten_route(name.removesuffix(".html").split("-"))
        if name == "forum.php":
            return self._forum_php(query)
        if name == "home.php":
            if query.get("mod") == "spacecp":
                return Target(Role.ACTION, "act:" + repr(sorted(query.items())), "done")
            return self._user(query.get("uid", ""))
        if name == "member.php":
            role = Role.ACTION if query.get("action") == "logout" else Role.LOGIN
            return Target(role, name + query.get("mod", "") + query.get("action", ""), "login")
        if name in ("search.php", "misc.php", "plugin.php"):
            if query.get("action") in ("attachpay", "pay", "rate"):
                return Target(Role.ACTION, "act:" + repr(sorted(query.items())), "done")
            return Target(Role.IGNORE, name + repr(sorted(query.items())), "text")
        return None

    def _rewritten_route(self, parts: list[str]) -> Target | None:
        match parts:
            case ["forum", board, number] if board.isdigit() and number.isdigit():
                return self._board(board, number)
            case ["thread", thread, number, _] if thread.isdigit() and number.isdigit():
                return self._thread(thread, number)
            case ["space", "uid", user]:
                return self._user(user)
            case _:
                return None

    def _forum_php(self, query: dict[str, str]) -> Target | None:
        if "mobile" in query:
            return Target(Role.IGNORE, "mobile:" + repr(sorted(query.items())), "mobile")
        thread, number = query.get("tid", ""), query.get("page", "1")
        match query.get("mod", ""):
            case "":
                return Target(Role.LIST, "index", "index")
            case "forumdisplay":
                board = query.get("fid", "")
                if query.keys() & {"filter", "orderby", "typeid", "dateline"}:
                    return self._filtered(board, number, query)
                return self._board(board, number)
            case "viewthread" if query.keys() & {"authorid", "ordertype", "action"}:
                return self._thread_variant(thread, number, query)
            case "viewthread":
                return self._thread(thread, number)
            case "redirect":
                return self._redirect(query)
            case "attachment":
                attachment = _attachment_number(query.get("aid", ""))
                if attachment in self.attachments:
                    return Target(Role.DOWNLOAD, f"attachment:{attachment}", "attachment", (attachment,))
                return None
            case "guide":
                return Target(Role.IGNORE, f"guide:{query.get('view')}", "guide")
            case "post" | "misc":
                return Target(Role.ACTION, "act:" + repr(sorted(query.items())), "done")
            case _:
                return None

    def _board(self, board: str, number: str) -> Target | None:
        known = self.boards.get(int(board)) if board.isdigit() else None
        if known is None or not number.isdigit():
            return None
        shown = min(max(int(number), 1), self.board_pages(known))  # a page too far shows the last one
        return paged(Role.LIST, f"board:{known.number}", "board", (known.number,), shown)

    def _thread(self, thread: str, number: str) -> Target | None:
        known = self.threads.get(int(thread)) if thread.isdigit() else None
        if known is None or not number.isdigit():
            return None
        shown = min(max(int(number), 1), self.thread_pages(known))
        return paged(Role.DETAIL, f"thread:{known.number}", "thread", (known.number,), shown)

    def _filtered(self, board: str, number: str, query: dict[str, str]) -> Target | None:
        plain = self._board(board, number)
        if plain is None:
            return None
        variant = tuple(sorted(item for item in query.items() if item[0] not in ("mod", "fid", "page")))
        return Target(Role.IGNORE, f"{plain.identity}:{variant}", "filtered", (*plain.args, variant))

    def _thread_variant(self, thread: str, number: str, query: dict[str, str]) -> Target | None:
        plain = self._thread(thread, number)
        if plain is None:
            return None
        variant = tuple(sorted(i for i in query.items() if i[0] in ("authorid", "ordertype", "action")))
        return Target(Role.IGNORE, f"{plain.identity}:{variant}", "variant", (*plain.args, variant))

    def _redirect(self, query: dict[str, str]) -> Target | None:
        post, thread = query.get("pid", ""), query.get("tid", "")
        if query.get("goto") == "findpost" and post.isdigit() and int(post) in self.posts:
            number = self.page_of_post(int(post))
            return Target(Role.IGNORE, f"post:{post}", "jump", (self.posts[int(post)].number, number))
        if thread.isdigit() and int(thread) in self.threads:
            last = self.thread_pages(self.threads[int(thread)])
            return Target(Role.IGNORE, f"last:{thread}", "jump", (int(thread), last))
        return None

    def _user(self, user: str) -> Target | None:
        if user.isdigit() and 1 <= int(user) <= len(self.users):
            return Target(Role.IGNORE, f"user:{user}", "user", (int(user),))
        return None

    def _archiver(self, name: str) -> Target | None:
        rest = name.removeprefix("archiver").strip("/").removesuffix(".html").split("-")
        match rest:
            case ["" | "index.php"]:
                return Target(Role.IGNORE, "archiver", "archiver")
            case ["fid", board] if board.isdigit() and int(board) in self.boards:
                return Target(Role.IGNORE, f"archiver:board:{board}", "archived_board", (int(board),))
            case ["tid", thread] if thread.isdigit() and int(thread) in self.threads:
                return Target(Role.IGNORE, f"archiver:thread:{thread}", "archived_thread", (int(thread),))
            case _:
                return None


def _attachment_number(token: str) -> int:
    """The number in an attachment link (`aid|key|time|uid|tid` in base64), 0 when there is none."""
    try:
        number = base64.b64decode(token.replace(" ", "+")).partition(b"|")[0]
    except ValueError:
        return 0
    return int(number) if number.isdigit() else 0


class DiscuzRewritten(Discuz):
    """`thread-12-1-1.html`, where the last number is the list's page; the forms with parameters work too."""

    family: ClassVar[str] = "discuz-rewritten"
    can_move: ClassVar[bool] = False
    rewritten: ClassVar[bool] = True
