"""`python -m harvester` is the `harvest` command."""

from harvester.cli.main import main

if __name__ == "__main__":
    main()
