"""Made-up words, names and titles for simulated content."""

from __future__ import annotations

import random

_WORDS = [
    "amber",
    "archive",
    "atlas",
    "aurora",
    "autumn",
    "bamboo",
    "basin",
    "beacon",
    "birch",
    "bridge",
    "canyon",
    "cedar",
    "chapter",
    "cinder",
    "cobalt",
    "comet",
    "copper",
    "coral",
    "crystal",
    "delta",
    "desert",
    "dune",
    "echo",
    "ember",
    "estuary",
    "falcon",
    "field",
    "fjord",
    "forest",
    "garden",
    "glacier",
    "granite",
    "harbor",
    "heron",
    "hollow",
    "horizon",
    "island",
    "ivory",
    "jasmine",
    "juniper",
    "kernel",
    "lagoon",
    "lantern",
    "lichen",
    "lotus",
    "maple",
    "marble",
    "meadow",
    "meridian",
    "mirror",
    "monsoon",
    "mosaic",
    "mountain",
    "nebula",
    "north",
    "oak",
    "ocean",
    "onyx",
    "orchard",
    "osprey",
    "paper",
    "pebble",
    "pine",
    "planet",
    "polar",
    "prairie",
    "quartz",
    "quiet",
    "rain",
    "reef",
    "ridge",
    "river",
    "saffron",
    "sage",
    "salt",
    "sand",
    "silver",
    "sky",
    "slate",
    "snow",
    "solstice",
    "spring",
    "stone",
    "storm",
    "summit",
    "tide",
    "timber",
    "tundra",
    "valley",
    "velvet",
    "violet",
    "voyage",
    "water",
    "willow",
    "winter",
    "wren",
    "zephyr",
]
_KINDS = [
    "lectures",
    "concert",
    "recordings",
    "scans",
    "dataset",
    "distribution",
    "maps",
    "sources",
    "films",
    "collection",
]
_SYLLABLES = [
    "ka",
    "lo",
    "mi",
    "ra",
    "ten",
    "shi",
    "vo",
    "na",
    "zu",
    "pel",
    "dor",
    "fin",
    "gar",
    "hue",
    "jin",
    "kel",
    "mor",
    "nox",
    "pia",
    "qui",
    "ros",
    "sul",
    "tam",
    "ulf",
    "wex",
]


def title(rng: random.Random) -> str:
    """A title of two to four words with a kind, a year or an edition: `Amber Fjord lectures 2014`."""
    words = [word.capitalize() for word in rng.sample(_WORDS, rng.randint(2, 4))]
    return f"{' '.join(words)} {rng.choice(_KINDS)} {rng.randint(1998, 2025)}"


def sentence(rng: random.Random, least: int = 5, most: int = 14) -> str:
    """A sentence without meaning."""
    return " ".join(rng.choices(_WORDS, k=rng.randint(least, most))).capitalize() + "."


def user_name(rng: random.Random) -> str:
    """A name a person might register: `kelmora7`."""
    name = "".join(rng.choices(_SYLLABLES, k=rng.randint(2, 4)))
    return name + (str(rng.randint(1, 99)) if rng.random() < 0.4 else "")


def user_names(rng: random.Random, count: int) -> list[str]:
    """`count` different names."""
    names: dict[str, None] = {}
    while len(names) < count:
        name = user_name(rng)
        names[name if name not in names else f"{name}{len(names)}"] = None
    return list(names)


def slug(text: str) -> str:
    """A title as a path segment."""
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split())
