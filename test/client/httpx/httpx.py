"""The part of httpx that the samples use, for machines where httpx is not installed."""

import json as encoder
import urllib.error
import urllib.request


class Response:
    def __init__(self, status_code, content):
        self.status_code = status_code
        self.text = content.decode()

    def json(self):
        return encoder.loads(self.text)

    def raise_for_status(self):
        if self.status_code >= 400:
            raise RuntimeError(f"{self.status_code} {self.text}")


def request(method, url, *, headers=None, content=None, json=None, timeout=5):
    headers = dict(headers or {})
    if json is not None:
        content = encoder.dumps(json).encode()
        headers.setdefault("Content-Type", "application/json")
    if isinstance(content, str):
        content = content.encode()
    sent = urllib.request.Request(url, data=content, headers=headers, method=method)
    try:
        with urllib.request.urlopen(sent, timeout=max(timeout, 60)) as received:
            return Response(received.status, received.read())
    except urllib.error.HTTPError as error:
        return Response(error.code, error.read())


def get(url, **options):
    return request("GET", url, **options)


def post(url, **options):
    return request("POST", url, **options)
