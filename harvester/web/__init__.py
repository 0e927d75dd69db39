"""The JSON API and the search page over HTTP."""
