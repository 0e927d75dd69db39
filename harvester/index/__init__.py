"""The search index: Tantivy, derived from the store and rebuildable at any time."""
