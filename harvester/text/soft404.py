"""Pages that say "not found" with status 200."""

from __future__ import annotations

from collections.abc import Sequence

from harvester.model.text import Fingerprint, PageText


def is_soft_404(page: PageText, missing: Sequence[Fingerprint] = ()) -> str:
    """Why the page is taken for a missing one (`text: …`, `probe`), or an empty string.

    `missing` are fingerprints of pages known to be missing (probes of made-up URLs of the same site).
    """
    raise NotImplementedError
