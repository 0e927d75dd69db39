"""Logins of software that Harvest knows nothing of, made after each's own pages and checks."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from abc import ABC, abstractmethod
from typing import ClassVar
from urllib.parse import quote

from harvester.demo.forums.base import MEMBER, Forum, Visit, hidden, number_in
from harvester.demo.server import Response


class OtherForum(Forum, ABC):
    """Items on pages; subclasses make the bar, the wall and the login."""

    session_cookie: ClassVar[str] = "session"
    acting = re.compile(r"logout|userlogout|/leave|action=delete", re.IGNORECASE)

    def route(self, visit: Visit) -> Response:
        path, query = visit.request.path, visit.request.query
        if (answer := self.login(visit)) is not None:
            return answer
        if path.startswith("/item/"):
            item = self.item(number_in(path))
            if item is None or (item.members and not visit.member):
                return self.wall(visit)
            return self.shown(
                visit, f'<h1>{item.title}</h1><a href="/get?n={item.file}">{item.seed.name}.torrent</a>'
            )
        if path == "/get":
            item = self.item(number_in(query))
            return self.file(item) if item is not None and self.may_see(visit, item) else self.wall(visit)
        if path != "/":
            return self.shown(visit, "<p>Not found.</p>", status=404)
        rows = "".join(
            f'<p><a href="/item/{one.number}">{one.title}</a></p>'
            for one in self.items
            if not one.members or visit.member
        )
        return self.shown(visit, rows)

    def shown(self, visit: Visit, body: str, *, status: int = 200) -> Response:
        return self.page(f'<div class="bar">{self.bar(visit)}</div>{body}', status=status)

    def bar(self, visit: Visit) -> str:
        return '<a href="/logout">Log out</a>' if visit.member else '<a href="/login">Log in</a>'

    def wall(self, visit: Visit) -> Response:
        return self.to("/login?next=" + quote(visit.request.target, safe=""))

    @abstractmethod
    def login(self, visit: Visit) -> Response | None:
        """The answer to a request of the login pages, None for any other."""

    def wrong(self) -> None:
        self.refuse("password")

    def token_of(self, visit: Visit) -> str:
        return visit.session.data.setdefault("token", self.token("form"))


class WordPress(OtherForum):
    """wp-login.php: a test cookie that must come back, the nonce links, `reauth`."""

    name = "wordpress"

    def bar(self, visit: Visit) -> str:
        if visit.member:
            return '<a href="/wp-login.php?action=logout&amp;_wpnonce=0123456789">Log out</a><a href="/wp-admin/profile.php">Me</a>'
        return '<a href="/wp-login.php">Log in</a> <a href="/wp-login.php?action=lostpassword">Lost your password?</a>'

    def wall(self, visit: Visit) -> Response:
        return self.to(
            f"/wp-login.php?redirect_to={quote(self.origin + visit.request.target, safe='')}&reauth=1"
        )

    def login(self, visit: Visit) -> Response | None:
        if visit.request.path != "/wp-login.php":
            return None
        fields, error = visit.request.form(), ""
        if visit.request.method == "POST":
            if (
                visit.request.cookies.get("wordpress_test_cookie") != "WP%20Cookie%20check"
                or fields.get("testcookie") != "1"
            ):
                self.refuse("cookie")
                error = "<strong>Error:</strong> Cookies are blocked or not supported by your browser."
            elif not self.knows(fields.get("log"), fields.get("pwd")):
                self.wrong()
                error = "<strong>Error:</strong> The password you entered for the username is incorrect."
            else:
                self.enter(visit)
                return self.to(fields.get("redirect_to", "").removeprefix(self.origin) or "/")
        visit.cookies.append("wordpress_test_cookie=WP%20Cookie%20check; path=/")
        box = f'<div id="login_error">{error}</div>' if error else ""
        return self.page(
            f'<div id="login">{box}<form name="loginform" id="loginform" action="{self.origin}/wp-login.php" method="post">'
            '<label for="user_login">Username or Email Address</label><input type="text" name="log" id="user_login">'
            '<label for="user_pass">Password</label><input type="password" name="pwd" id="user_pass">'
            '<input name="rememberme" type="checkbox" id="rememberme" value="forever"><input type="submit" name="wp-submit" value="Log In">'
            f'{hidden({"redirect_to": self.origin + "/", "testcookie": "1"})}</form><p id="nav"><a href="/wp-login.php?action=lostpassword">Lost?</a></p></div>'
        )


class MediaWiki(OtherForum):
    """Special:UserLogin: a login token, an edit token that ends in a backslash, names in `title`."""

    name = "mediawiki"

    def bar(self, visit: Visit) -> str:
        if visit.member:
            return '<ul><li id="pt-logout"><a href="/index.php?title=Special:UserLogout&amp;returnto=Main+Page">Log out</a></li></ul>'
        return '<ul><li id="pt-login"><a href="/index.php?title=Special:UserLogin&amp;returnto=Main+Page">Log in</a></li></ul>'

    def wall(self, visit: Visit) -> Response:
        body = '<h1>Login required</h1><p>Please <a href="/index.php?title=Special:UserLogin">log in</a> to view other pages.</p>'
        return self.shown(visit, body)

    def login(self, visit: Visit) -> Response | None:
        if visit.request.path != "/index.php":
            return None
        fields, error = visit.request.form(), ""
        if visit.request.method == "POST":
            if (
                fields.get("wpLoginToken") != self.token_of(visit) + "+\\"
                or fields.get("wpEditToken") != "+\\"
            ):
                self.refuse("token")
                error = "There seems to be a problem with your login session."
            elif (
                not self.knows(fields.get("wpName"), fields.get("wpPassword"))
                or "wploginattempt" not in fields
            ):
                self.wrong()
                error = "Incorrect username or password entered. Please try again."
            else:
                self.enter(visit)
                return self.to("/")
        box = f'<div class="errorbox">{error}</div>' if error else ""
        extra = hidden(
            {
                "title": "Special:UserLogin",
                "authAction": "login",
                "force": "",
                "wpEditToken": "+\\",
                "wpLoginToken": self.token_of(visit) + "+\\",
            }
        )
        return self.page(
            f'<h1>Log in</h1><form action="/index.php" id="searchform"><input name="search" type="search"></form><div id="userloginForm">'
            f'<form class="mw-htmlform" name="userlogin" method="post" action="/index.php?title=Special:UserLogin&amp;returnto=Main+Page">{box}'
            '<label for="wpName1">Username</label><input id="wpName1" name="wpName"><input id="wpPassword1" name="wpPassword" type="password">'
            f'<input name="wpRemember" type="checkbox" value="1"><button name="wploginattempt" type="submit" value="Log in">Log in</button>{extra}</form></div>'
        )


class Drupal(OtherForum):
    """/user/login: a form id and a build id; the session begins by `check_logged_in`."""

    name = "drupal"

    def bar(self, visit: Visit) -> str:
        return (
            '<a href="/user">My account</a><a href="/user/logout">Log out</a>'
            if visit.member
            else '<a href="/user/login">Log in</a>'
        )

    def wall(self, visit: Visit) -> Response:
        return self.shown(
            visit, "<h1>Access denied</h1><p>You are not authorized to access this page.</p>", status=403
        )

    def login(self, visit: Visit) -> Response | None:
        if visit.request.path not in ("/user/login", "/user/7"):
            return None
        if visit.request.path == "/user/7":
            return self.shown(visit, "<h1>keeper</h1>")
        fields, error = visit.request.form(), ""
        if visit.request.method == "POST":
            built = (
                fields.get("form_build_id") == f"form-{self.token_of(visit)}"
                and fields.get("form_id") == "user_login_form"
            )
            if not built or fields.get("op") != "Log in":
                self.refuse("form")
                error = "The form has become outdated."
            elif not self.knows(fields.get("name"), fields.get("pass")):
                self.wrong()
                error = (
                    "Unrecognized username or password. <a href='/user/password'>Forgot your password?</a>"
                )
            else:
                self.enter(visit)
                return self.to("/user/7?check_logged_in=1")
        box = f'<div role="alert"><h2>Error message</h2>{error}</div>' if error else ""
        extra = hidden({"form_build_id": f"form-{self.token_of(visit)}", "form_id": "user_login_form"})
        return self.shown(
            visit,
            f'{box}<form class="user-login-form" action="/user/login" method="post" id="user-login-form" accept-charset="UTF-8">'
            '<label for="edit-name">Username</label><input type="text" id="edit-name" name="name"><input type="password" id="edit-pass" name="pass">'
            f'{extra}<input type="submit" id="edit-submit" name="op" value="Log in"></form>',
        )


class Invision(OtherForum):
    """Invision 4: a csrf key, and buttons of several ways to log in, each with a value of its own."""

    name = "invision"

    def bar(self, visit: Visit) -> str:
        if visit.member:
            return f'<a href="/logout/?csrfKey={self.token_of(visit)}">Sign Out</a>'
        return '<a href="/login/">Existing user? Sign In</a><a href="/register/">Sign Up</a>'

    def wall(self, visit: Visit) -> Response:
        return self.shown(
            visit,
            '<section><p class="ipsType_large">Sorry, you do not have permission for that!</p></section>',
            status=403,
        )

    def login(self, visit: Visit) -> Response | None:
        if visit.request.path != "/login/":
            return None
        fields, error = visit.request.form(), ""
        if visit.request.method == "POST":
            if (
                fields.get("csrfKey") != self.token_of(visit)
                or fields.get("_processLogin") != "usernamepassword"
            ):
                self.refuse("form")
                error = "Something went wrong. Please try again."
            elif not self.knows(fields.get("auth"), fields.get("password")):
                self.wrong()
                error = "The display name or email address or password you entered is incorrect."
            else:
                self.enter(visit)
                return self.to("/?_fromLogin=1")
        box = f'<p class="ipsMessage ipsMessage_error">{error}</p>' if error else ""
        extra = hidden(
            {"csrfKey": self.token_of(visit), "ref": base64.b64encode(self.origin.encode()).decode()}
        )
        return self.page(
            f'<form accept-charset="utf-8" method="post" action="{self.origin}/login/" id="elLogin_form">{extra}{box}'
            '<input type="text" placeholder="Display Name or Email Address" name="auth" autocomplete="email">'
            '<input type="password" placeholder="Password" name="password" autocomplete="current-password">'
            '<input type="checkbox" name="remember_me" value="1" checked><button type="submit" name="_processLogin" value="usernamepassword">Sign In</button>'
            '<button type="submit" name="_processLogin" value="3">Sign in with Google</button><button type="submit" name="_processLogin" value="4">Sign in with Facebook</button></form>'
        )


class NodeBB(OtherForum):
    """A form without an action whose token stands in it; the answer is the address to go to, as text."""

    name = "nodebb"

    def bar(self, visit: Visit) -> str:
        script = f'<script>window.config={{"csrf_token":"{self.token_of(visit)}","loggedIn":{json.dumps(visit.member)}}}</script>'
        if visit.member:
            return (
                f'{script}<form method="post" action="/logout"><button type="submit">Logout</button></form>'
            )
        return f'{script}<a href="/login"><i></i> <span>Login</span></a><a href="/register">Register</a>'

    def wall(self, visit: Visit) -> Response:
        return self.shown(
            visit,
            "<h4>You seem to be not logged in</h4><p>You do not have access to this page.</p>",
            status=403,
        )

    def login(self, visit: Visit) -> Response | None:
        if visit.request.path != "/login":
            return None
        fields = visit.request.form()
        if visit.request.method == "POST":
            if fields.get("_csrf") != self.token_of(visit):
                self.refuse("csrf")
                return Response(b"Forbidden", 403, "text/plain")
            if not self.knows(fields.get("username"), fields.get("password")):
                self.wrong()
                return Response(b"Invalid login credentials", 403, "text/plain")
            self.enter(visit)
            return Response(b"/", 200, "text/html; charset=utf-8")
        return self.shown(
            visit,
            '<form class="form-horizontal" role="form" method="post" target="login" id="login-form">'
            '<label for="username">Username / Email</label><input class="form-control" type="text" placeholder="Username / Email" name="username" id="username" autocorrect="off">'
            '<input class="form-control" type="password" placeholder="Password" name="password" id="password">'
            f'<input type="checkbox" name="remember" id="remember" checked>{hidden({"_csrf": self.token_of(visit), "noscript": "false"})}'
            '<button class="btn" id="login" type="submit">Login</button></form>',
        )


class TwoPages(OtherForum):
    """The name first; the password on the page after it, which knows the name by the session."""

    name = "two-pages"
    by_mail: ClassVar[bool] = True

    def login(self, visit: Visit) -> Response | None:
        path, fields = visit.request.path, visit.request.form()
        if path not in ("/login", "/login/password"):
            return None
        good = fields.get("csrf_token") == self.token_of(visit)
        if visit.request.method == "POST" and not good:
            self.refuse("csrf")
            return self.shown(visit, '<p class="error">Your session has expired</p>', status=400)
        if path == "/login":
            if visit.request.method == "POST" and fields.get("identifier") == MEMBER[0]:
                visit.session.data["name"] = fields["identifier"]
                return self.to("/login/password")
            error = ""
            if visit.request.method == "POST":
                self.refuse("name")
                error = '<p class="error">We could not find an account with that name</p>'
            return self.page(
                f'<h1>Sign in</h1>{error}<form method="post" action="/login">{hidden({"csrf_token": self.token_of(visit)})}'
                '<label>Email or user name <input type="text" name="identifier" autocomplete="username"></label><button type="submit">Next</button></form>'
                '<form action="/newsletter" method="post"><input type="email" name="email"><button>Subscribe</button></form>'
            )
        error = ""
        if visit.request.method == "POST":
            if self.knows(visit.session.data.get("name"), fields.get("pw")):
                self.enter(visit)
                return self.to("/")
            self.wrong()
            error = '<p class="error">Wrong password. Try again.</p>'
        return self.page(
            f'<h1>Welcome back</h1>{error}<p>{html.escape(visit.session.data.get("name", ""))}</p><form method="post" action="/login/password">'
            f'{hidden({"csrf_token": self.token_of(visit)})}<label>Password <input type="password" name="pw"></label><button type="submit">Continue</button></form>'
        )


class Mail(OtherForum):
    """The address of a mailbox for a name, a trap that looks like a name, and a token in the form's address."""

    name = "mail"

    def login(self, visit: Visit) -> Response | None:
        if visit.request.path != "/login":
            return None
        fields, error = visit.request.form(), ""
        if visit.request.method == "POST":
            token = visit.request.params().get("t")
            if fields.get("nickname") or token != self.token_of(visit):
                self.refuse("trap")
                return self.shown(visit, '<p class="error">No.</p>', status=403)
            if self.knows(fields.get("user[email]"), fields.get("user[password]")):
                self.enter(visit)
                return self.to("/")
            self.wrong()
            error = '<div class="flash alert">Invalid Email or password.</div>'
        return self.page(
            f'<style>.extra {{ position: absolute; left: -5000px }}</style>{error}<form id="new_user" action="/login?t={self.token_of(visit)}" method="post">'
            '<div class="extra"><input type="text" name="nickname" tabindex="-1"></div><input type="email" name="user[email]" autofocus>'
            '<input type="password" name="user[password]"><input type="hidden" name="user[remember_me]" value="0"><input type="checkbox" name="user[remember_me]" value="1">'
            '<input type="submit" name="commit" value="Log in"></form><a href="/users/password/new">Forgot your password?</a>'
        )


class Basic(OtherForum):
    """No form at all: the browser asks (RFC 7617)."""

    name = "basic"
    scheme = "Basic"

    def route(self, visit: Visit) -> Response:
        if not self._authorised(visit):
            if "authorization" in visit.request.headers:
                self.wrong()
            return Response(
                b"<h1>401 Unauthorized</h1>", 401, "text/html", [("WWW-Authenticate", self.challenge(visit))]
            )
        if not self.state.logins:
            self.state.logins = 1
        visit.session.member = True
        return super().route(visit)

    def bar(self, visit: Visit) -> str:
        return ""

    def login(self, visit: Visit) -> Response | None:
        return None

    def challenge(self, visit: Visit) -> str:
        return 'Basic realm="torrents", charset="UTF-8"'

    def _authorised(self, visit: Visit) -> bool:
        kind, _, told = visit.request.headers.get("authorization", "").partition(" ")
        try:
            user, _, password = base64.b64decode(told).decode().partition(":")
        except ValueError:
            return False
        return kind.lower() == "basic" and self.knows(user, password)


class PartlyBasic(Basic):
    """Pages for everybody, and files that the browser asks a password for."""

    name = "partly-basic"

    def route(self, visit: Visit) -> Response:
        if visit.request.path != "/get" and not visit.request.path.startswith("/item/2"):
            return OtherForum.route(self, visit)
        return super().route(visit)


class Digest(Basic):
    """The same with a digest (RFC 7616): a nonce that is good for a few requests, the address in the digest."""

    name = "digest"
    uses: ClassVar[int] = 5

    def __init__(self, origin: str, **options: object) -> None:
        super().__init__(origin, **options)  # type: ignore[arg-type]  # passed through
        self.nonces: dict[str, int] = {}

    def challenge(self, visit: Visit) -> str:
        nonce = self.token("nonce")
        self.nonces[nonce] = 0
        return f'Digest realm="torrents", qop="auth", algorithm=SHA-256, nonce="{nonce}", opaque="{self.token("o", 8)}"'

    def wrong(self) -> None:
        """A nonce that is used up is no wrong password."""

    def _authorised(self, visit: Visit) -> bool:
        told = visit.request.headers.get("authorization", "")
        fields = {name: value.strip('"') for name, value in re.findall(r'(\w+)=("[^"]*"|[^,\s]+)', told)}
        if (
            fields.get("uri") != visit.request.target
            or self.nonces.get(fields.get("nonce", ""), 99) >= self.uses
        ):
            return False
        self.nonces[fields["nonce"]] += 1

        def digest(text: str) -> str:
            return hashlib.sha256(text.encode()).hexdigest()

        one = digest(f"{MEMBER[0]}:torrents:{MEMBER[1]}")
        two = digest(f"{visit.request.method}:{visit.request.target}")
        wanted = digest(f"{one}:{fields['nonce']}:{fields['nc']}:{fields['cnonce']}:auth:{two}")
        good = fields.get("response") == wanted and self.knows(*MEMBER)
        if not good:
            self.refuse("password")
        return good


class Flarum(OtherForum):
    """No form at all: a script posts JSON, with a token in a header."""

    name = "flarum"

    def bar(self, visit: Visit) -> str:
        payload = json.dumps(
            {"session": {"userId": 7 if visit.member else 0, "csrfToken": self.token_of(visit)}}
        )
        return (
            f'<script id="flarum-json-payload" type="application/json">{payload}</script><div id="app"></div>'
        )

    def wall(self, visit: Visit) -> Response:
        return self.shown(visit, "<p>You do not have permission to do that.</p>", status=403)

    def login(self, visit: Visit) -> Response | None:
        if visit.request.path != "/login" or visit.request.method != "POST":
            return None
        headers = visit.request.headers
        if headers.get("x-csrf-token") != self.token_of(visit) or "json" not in headers.get(
            "content-type", ""
        ):
            self.refuse("csrf")
            return Response(
                b'{"errors":[{"status":"400","code":"csrf_token_mismatch"}]}', 400, "application/json"
            )
        told = json.loads(visit.request.body)
        if not self.knows(told.get("identification"), told.get("password")):
            self.wrong()
            return Response(
                b'{"errors":[{"status":"401","code":"not_authenticated"}]}', 401, "application/json"
            )
        self.enter(visit)
        return Response(b'{"token":"x","userId":"7"}', 200, "application/json")


class Joomla(OtherForum):
    """A token whose name is random and whose value is 1, an `option` and a `task` in hidden fields, a module form."""

    name = "joomla"

    def bar(self, visit: Visit) -> str:
        if visit.member:
            return f'<form action="/component/users" method="post" id="login-form"><div class="login-greeting">Hi {MEMBER[0]},</div><button type="submit" name="Submit">Log out</button>{hidden({"task": "user.logout"})}</form>'
        return '<a href="/component/users/login?Itemid=101">Log in</a>'

    def wall(self, visit: Visit) -> Response:
        return self.shown(
            visit,
            '<div id="system-message"><div class="alert-message">You are not authorised to view this resource.</div></div>',
            status=403,
        )

    def login(self, visit: Visit) -> Response | None:
        if visit.request.path != "/component/users/login":
            return None
        fields, error = visit.request.form(), ""
        if visit.request.method == "POST":
            if fields.get(self.token_of(visit)) != "1" or fields.get("task") != "user.login":
                self.refuse("token")
                error = "The most recent request was denied because it had an invalid security token. Please refresh the page and try again."
            elif not self.knows(fields.get("username"), fields.get("password")):
                self.wrong()
                error = "Username and password do not match or you do not have an account yet."
            else:
                self.enter(visit)
                return self.to("/")
        box = (
            f'<div id="system-message-container"><joomla-alert type="warning"><div class="alert-message">{error}</div></joomla-alert></div>'
            if error
            else ""
        )
        extra = hidden(
            {"option": "com_users", "task": "user.login", "return": "aW5kZXgucGhw", self.token_of(visit): "1"}
        )
        return self.shown(
            visit,
            f'{box}<div class="com-users-login login"><form action="/component/users/login?task=user.login" method="post" class="form-validate"><fieldset>'
            '<label id="username-lbl" for="username">Username<span class="star">*</span></label><input type="text" name="username" id="username" required>'
            '<label for="password">Password</label><input type="password" name="password" id="password" required><button type="button" class="input-password-toggle">Show</button>'
            f'<input id="remember" type="checkbox" name="remember" value="yes"></fieldset><button type="submit" class="btn">Log in</button>{extra}</form></div>',
        )


class Moodle(OtherForum):
    """A login token, an anchor field, a second form on the page that enters as a guest."""

    name = "moodle"

    def bar(self, visit: Visit) -> str:
        if visit.member:
            return f'<span class="usertext">{MEMBER[0]}</span><a href="/login/logout.php?sesskey={self.token_of(visit)[:10]}">Log out</a>'
        return 'You are not logged in. (<a href="/login/index.php">Log in</a>)'

    def login(self, visit: Visit) -> Response | None:
        if not visit.request.path.startswith("/login"):
            return None
        fields, error = visit.request.form(), ""
        if visit.request.path == "/login":
            return self.to("/login/index.php")
        if visit.request.method == "POST":
            if fields.get("logintoken") != self.token_of(visit):
                self.refuse("token")
                error = "Your session has timed out. Please log in again."
            elif fields.get("username") == "guest" or not self.knows(
                fields.get("username"), fields.get("password")
            ):
                self.wrong()
                error = "Invalid login, please try again"
            else:
                self.enter(visit)
                return self.to("/")
        box = (
            f'<div class="loginerrors mt-3"><a href="#" id="loginerrormessage" class="accesshide">{error}</a><div class="alert alert-danger" role="alert">{error}</div></div>'
            if error
            else ""
        )
        token = hidden({"logintoken": self.token_of(visit)})
        return self.shown(
            visit,
            f'{box}<form action="/login/index.php" method="post" id="login"><input id="anchor" type="hidden" name="anchor" value="">{token}<input type="text" name="username" id="username" value="" placeholder="Username" autocomplete="username">'
            '<input type="password" name="password" id="password" value="" placeholder="Password"><button type="submit" id="loginbtn">Log in</button></form>'
            f'<form action="/login/index.php" method="post" id="guestlogin"><input type="hidden" name="username" value="guest"><input type="hidden" name="password" value="guest">{token}<button type="submit">Access as a guest</button></form>',
        )


class Allauth(OtherForum):
    """django-allauth: `login` and `password` under a csrf token, a form to confirm the log-out, other providers."""

    name = "allauth"

    def bar(self, visit: Visit) -> str:
        return (
            '<a href="/accounts/email/">E-mail</a> <a href="/accounts/logout/">Sign Out</a>'
            if visit.member
            else '<a href="/accounts/login/">Sign In</a> <a href="/accounts/signup/">Sign Up</a>'
        )

    def wall(self, visit: Visit) -> Response:
        return self.to("/accounts/login/?next=" + quote(visit.request.target, safe=""))

    def login(self, visit: Visit) -> Response | None:
        if visit.request.path != "/accounts/login/":
            return None
        fields, error, status = visit.request.form(), "", 200
        if visit.request.method == "POST":
            sent = visit.request.cookies.get("csrftoken")
            if (
                not sent
                or fields.get("csrfmiddlewaretoken") != sent
                or not visit.request.headers.get("referer", "").startswith(self.origin)
            ):
                self.refuse("csrf")
                return self.page(
                    "<h1>Forbidden</h1><p>CSRF verification failed. Request aborted.</p>", status=403
                )
            if self.knows(fields.get("login"), fields.get("password")):
                self.enter(visit)
                return self.to("/")
            self.wrong()
            error = '<ul class="errorlist nonfield"><li>The username and/or password you specified are not correct.</li></ul>'
        visit.cookies.append(f"csrftoken={self.token_of(visit)}; path=/; SameSite=Lax")
        return self.page(
            f'<h1>Sign In</h1><p>Please sign in with one of your existing third party accounts.</p><ul><li><a href="/accounts/github/login/">GitHub</a></li></ul>'
            f'<form class="login" method="post" action="/accounts/login/">{hidden({"csrfmiddlewaretoken": self.token_of(visit)})}{error}<p><label for="id_login">Login:</label><input type="text" name="login" placeholder="Username or email" id="id_login" required></p>'
            '<p><label for="id_password">Password:</label><input type="password" name="password" id="id_password" required></p><p><input type="checkbox" name="remember" id="id_remember"></p>'
            '<a class="button secondaryAction" href="/accounts/password/reset/">Forgot Password?</a><button class="primaryAction" type="submit">Sign In</button></form>',
            status=status,
        )


class Tracker(OtherForum):
    """A tracker of its own making: no ids, no labels, a GET of the form that counts tries, `takelogin`."""

    name = "tracker"

    def bar(self, visit: Visit) -> str:
        return (
            f'<b>{MEMBER[0]}</b> <a href="/my.php">my</a> <a href="/exit.php">выйти</a>'
            if visit.member
            else '<a href="/login.php"><b>Войти на трекер</b></a>'
        )

    def wall(self, visit: Visit) -> Response:
        return self.page(
            '<table><tr><td class="embedded"><h2>Ошибка</h2>Страница доступна только зарегистрированным пользователям</td></tr></table>'
        )

    def login(self, visit: Visit) -> Response | None:
        if visit.request.path == "/takelogin.php":
            fields = visit.request.form()
            if self.knows(fields.get("n"), fields.get("p")):
                self.enter(visit)
                return self.page('<script>location="/"</script><meta http-equiv="refresh" content="0;url=/">')
            self.wrong()
            return self.page(
                '<table><tr><td class="embedded"><h2>Вход не удался!</h2>Неверное имя или пароль. Осталось попыток: 6</td></tr></table>'
            )
        if visit.request.path != "/login.php":
            return None
        return self.page(
            "<form method=post action=takelogin.php><table border=0><tr><td>Имя</td><td><input type=text size=40 name=n></td></tr><tr><td>Пароль</td><td><input type=password size=40 name=p></td></tr>"
            '<tr><td colspan=2><input type=checkbox name=r value=1> не запоминать IP</td></tr><tr><td colspan=2><input type=submit value="OK"></td></tr></table></form>'
        )


class ScriptOnly(OtherForum):
    """Fields in no form, and a script that sends what they hold nobody knows how."""

    name = "script-only"

    def login(self, visit: Visit) -> Response | None:
        if visit.request.path != "/login":
            return None
        return self.page(
            '<div id="app"><input class="u"><input class="p" type="password"><button onclick="go()">Log in</button></div>'
            "<script>function go(){fetch('/api/v2/auth',{method:'POST',body:enc(u,p)})}</script>"
        )


OTHERS: dict[str, type[OtherForum]] = {
    one.name: one
    for one in (
        *(WordPress, MediaWiki, Drupal, Invision, NodeBB, TwoPages, Mail, Basic, Digest, Flarum),
        *(Joomla, Moodle, Allauth, Tracker, PartlyBasic),
    )
}

__all__ = ["OTHERS", "OtherForum"]
