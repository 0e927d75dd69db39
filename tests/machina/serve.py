"""The forum's process: `python -m tests.machina.serve seed|serve FOLDER`.

`seed` makes FOLDER's database. `serve` prints the address as one line and serves until its standard input
is closed, so that it ends with whoever started it, however that one ended.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Handler(WSGIRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""

    def address_string(self) -> str:
        """No name look-up."""
        return str(self.client_address[0])


def main(command: str, folder: Path) -> None:
    """Run one of the two commands."""
    os.environ["MACHINA_FOLDER"] = str(folder)
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.machina.settings"
    import django

    django.setup()
    if command == "seed":
        from tests.machina.seed import seed

        seed(folder)
        return
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.core.wsgi import get_wsgi_application

    application = StaticFilesHandler(get_wsgi_application())
    with make_server("127.0.0.1", 0, application, server_class=_Server, handler_class=_Handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        print(f"http://127.0.0.1:{server.server_port}", flush=True)
        sys.stdin.read()
        server.shutdown()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
