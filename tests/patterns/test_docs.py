"""docs/site-files.md: each example is what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from harvester.errors import SiteFileError
from harvester.model.site import Role
from harvester.patterns.sitefile import dump_site_file, parse_site_file
from harvester.policy.revisit import POLICIES

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "site-files.md").read_text(encoding="utf-8")
RIGHT = re.findall(r"```yaml site\n(.*?)```", TEXT, re.DOTALL)
WRONG = re.findall(r"```yaml wrong\n(.*?)```\s+```text\n(.*?)\n```", TEXT, re.DOTALL)


def test_there_are_examples() -> None:
    assert len(RIGHT) >= 6
    assert len(WRONG) >= 3


@pytest.mark.parametrize("example", RIGHT)
def test_an_example_is_read_and_written(example: str) -> None:
    site = parse_site_file(example, "example.yaml")
    again = parse_site_file(dump_site_file(site), "again.yaml")
    assert dump_site_file(again) == dump_site_file(site)


@pytest.mark.parametrize(("example", "message"), WRONG)
def test_a_wrong_example_gives_the_message_shown(example: str, message: str) -> None:
    with pytest.raises(SiteFileError) as caught:
        parse_site_file(example, "example.yaml")
    assert str(caught.value) == message


def test_every_role_and_policy_is_named() -> None:
    for name in [*Role, *POLICIES]:
        assert f"`{name}`" in TEXT
