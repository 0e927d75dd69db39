"""Small forums and trackers that behave as phpBB, SMF, vBulletin, XenForo, NexusPHP, UNIT3D and others do.

    with start_forum("phpbb") as site:
        harvest(site.url)

Each keeps a few torrents: some for guests, some for members, some behind a reply. They check what the real
software checks (tokens and their age, honeypots, user agents, captchas, second factors) and count logins,
replies and every request that changed something it should not have.
"""

from harvester.demo.forums.base import MEMBER, Forum, Item, RunningForum
from harvester.demo.forums.discuz7 import Discuz6Forum, Discuz7Forum
from harvester.demo.forums.nexusphp import NexusForum
from harvester.demo.forums.phpbb import PhpbbForum
from harvester.demo.forums.phpwind import Phpwind8Forum, PhpwindForum
from harvester.demo.forums.smf import SmfForum
from harvester.demo.forums.unit3d import Unit3dForum
from harvester.demo.forums.vbulletin import VbulletinForum
from harvester.demo.forums.xenforo import TwoStepForum, XenforoForum

FORUMS: dict[str, type[Forum]] = {
    forum.name: forum
    for forum in (
        *(PhpbbForum, SmfForum, VbulletinForum, XenforoForum, TwoStepForum, NexusForum, Unit3dForum),
        *(Discuz7Forum, Discuz6Forum, PhpwindForum, Phpwind8Forum),
    )
}
"""Every kind by name."""


def start_forum(name: str, **options: object) -> RunningForum:
    """Serve one forum on a free loopback port from a background thread; `options` go to its class."""
    return RunningForum(FORUMS[name], options)


__all__ = ["FORUMS", "MEMBER", "Forum", "Item", "RunningForum", "start_forum"]
