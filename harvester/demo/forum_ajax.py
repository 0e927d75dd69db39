"""The demo forum's answers to `inajax=1`, as Discuz' header_ajax.htm and function_message.php write them."""

from __future__ import annotations

from harvester.demo.server import Request, Response


def is_ajax(request: Request) -> bool:
    """Whether the request wants the answer for a script."""
    return "inajax=1" in request.query.split("&")


def told_a_script(handle: str, text: str, onward: str, charset: str, *, step: str = "") -> Response:
    """A message as the script that shows it gets it; `step` opens a window instead (`location_login`)."""
    said = text.replace("\\", "\\\\").replace("'", "\\'")
    name = f"{'succeed' if onward else 'error'}handle_{handle}"
    told = f"'{onward}', '{said}', {{}}" if onward else f"'{said}', {{}}"
    script = f"if(typeof {name}=='function') {{{name}({told});}}"
    script = f"showWindow('login', '{step}');" if step else script
    inner = f'<script type="text/javascript" reload="1">{script}</script>'.replace("]]>", "]]&gt;")
    xml = f'<?xml version="1.0" encoding="{charset}"?>\r\n<root><![CDATA[{inner}]]></root>'
    return Response(xml.encode(charset, "xmlcharrefreplace"), content_type="text/xml")
