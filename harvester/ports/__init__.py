"""The edges as contracts: what a store and a fetcher promise, and what they need not."""
