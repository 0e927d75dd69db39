"""Recorded sites, served again on loopback, and what a crawl of them must find."""
