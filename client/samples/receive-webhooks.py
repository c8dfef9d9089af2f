import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

secrets = os.environ["WEBHOOK_SECRETS"].split()


def is_genuine(headers, body):
    event_id, sent = headers["webhook-id"], headers["webhook-timestamp"]
    given = headers["webhook-signature"].split(" ")
    if abs(time.time() - int(sent)) > 300:
        return False
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        signed = f"{event_id}.{sent}.".encode() + body
        digest = hmac.new(key, signed, hashlib.sha256).digest()
        expected = "v1," + base64.b64encode(digest).decode()
        if any(hmac.compare_digest(expected, one) for one in given):
            return True
    return False


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        genuine = is_genuine(self.headers, body)
        if genuine:
            event = json.loads(body)
            print(event["type"], event["data"]["sku"], flush=True)
        self.send_response(204 if genuine else 400)
        self.end_headers()


HTTPServer(("127.0.0.1", int(os.environ.get("PORT", 3000))), Receiver).serve_forever()
