"""Learning URL rules from a crawl: which kinds of pages a site has, as RE2 patterns with their evidence."""

from harvester.patterns.learner.learner import Belief, Learner

__all__ = ["Belief", "Learner"]
