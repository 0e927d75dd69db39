"""Text of pages: charset, main text and language, near-duplicate fingerprints, soft 404, CJK."""
