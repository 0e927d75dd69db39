"""The batch crawl of a site."""

from __future__ import annotations

from harvester.crawl.options import CrawlReport, Obstacle
from harvester.crawl.reasons import what_failed, which_wall, why_left
from harvester.errors import DoneInPart, FetchError, HarvestError

_HINTS = {
    Obstacle.UNREACHABLE: "check the address and your connection; the same command goes on from here",
    Obstacle.ROBOTS: "wait some minutes; the same command asks again and goes on from here",
}


def failure_of(report: CrawlReport) -> HarvestError | None:
    """The error that a run amounts to, or None when it did what it was asked to.

    A run that read nothing at all has failed; what was harvested before is kept in any case.
    """
    figures = report.figures
    if report.obstacle is not Obstacle.NONE:
        return FetchError(report.site, report.reason, hint=_HINTS[report.obstacle])
    harvested = figures.pages + figures.torrents_new + figures.torrents_known + figures.duplicates
    if harvested or report.resumed or report.state == "stopped":
        return None
    reasons = [what_failed(kind) for kind in sorted(figures.errors)]
    reasons += [which_wall(kind) for kind in sorted(figures.walls)]
    reasons += [why_left(reason) for reason in sorted(figures.left)]
    why = "; ".join(reasons) or "no links"
    nothing = f"nothing could be read at {report.site}"
    where = f"harvest status --site {report.site}"
    if figures.walls:
        return DoneInPart(nothing, why=why, hint=f"see: {where}")
    if "redirect_off_site" in figures.left:
        return HarvestError(
            nothing, why=why, hint=f"crawl the address that it leads to instead; see: {where}"
        )
    return HarvestError(nothing, why=why, hint="open the start page in a browser and compare")
