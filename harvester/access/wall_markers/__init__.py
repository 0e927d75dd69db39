"""Wall markers, one module per software family; a new family is one new file with a `MARKERS` tuple."""
