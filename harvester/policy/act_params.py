"""Query parameters by which sites are told to do something."""

from __future__ import annotations

from harvester.policy.verbs import words

ACTION_PARAMS = words(
    "action act do mode mod op ac a cmd command task operation method sa func function case area opt event i "
    "veaction"
)
"""Parameters whose value is what the site does."""

FLAGS: dict[str, str] = {
    name: reason
    for reason, names in {
        "logout": "logout signout logoff",
        "delete": "delete del deletepost undelete trash remove",
        "vote": "vote upvote downvote unvote",
        "rate": "takerating",
        "thank": "thanks rthanks thank like unlike dislike thx",
        "mark_read": "markread mark_read catchup",
        "subscribe": "unsubscribe unwatch unfollow follow",
        "bookmark": "bookmark unbookmark addbookmark add_bookmark addfavorite favorite",
        "post_form": "replytocom newreply newthread quickreply",
        "pay": "usetoken add-to-cart add_to_cart buy pay purchase letdown",
        "check_in": "checkin qiandao",
        "report": "report",
    }.items()
    for name in names.split()
}
"""Parameters that act by being there; empty or negative values are filters (`bookmark=0`)."""

TARGETS = words("forum forums topic topics thread threads board boards all read 1 true yes on")
TARGET_FLAGS = {"mark": "mark_read", "watch": "subscribe", "subscribe": "subscribe", "edit": "edit"}
NEGATIVE = frozenset({"", "0", "no", "false", "off", "any", "all"})

SURE_TOKENS = words(
    "_wpnonce wpnonce my_post_key logouthash logoutkey csrf csrftoken csrf_token csrfmiddlewaretoken "
    "_csrf _csrf_token authenticity_token __requestverificationtoken form_token securitytoken _xftoken "
    "sesc"
)
"""Parameters that only a state-changing request carries: refused on sight."""

WEAK_TOKENS = words("formhash hash token _token auth authkey nonce sign secret")
"""Parameters that refuse a URL only beside an action that isn't plain reading."""

SPECIAL = frozenset({"title", "id", "page"})
ROUTES = frozenset({"r", "route", "s", "path", "q"})
PAGES = frozenset({"page", "p", "view", "section", "module", "option"})
"""Parameters that name a page: only a word that acts anywhere counts."""
SUBMITS = frozenset({"submit", "searchsubmit", "confirm"})
KNOWN = (
    ACTION_PARAMS
    | FLAGS.keys()
    | TARGET_FLAGS.keys()
    | SURE_TOKENS
    | WEAK_TOKENS
    | SPECIAL
    | ROUTES
    | PAGES
    | SUBMITS
)
SAFE_PAIRS = frozenset({("mod", "seccode"), ("mod", "secqaa")})
