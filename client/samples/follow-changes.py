import os
import pathlib

import httpx

headers = {"Authorization": f"Bearer {os.environ['CATALOG_TOKEN']}"}
saved = pathlib.Path("cursor")
while True:
    after = saved.read_text() if saved.exists() else "0"
    response = httpx.get(
        f"http://127.0.0.1:8080/v2/events?after={after}&limit=500&wait=25",
        headers=headers,
        timeout=60,
    )
    response.raise_for_status()
    page = response.json()
    for event in page["results"]:
        print(event["type"], event["data"]["sku"], flush=True)
    # Replacing is atomic: a crash never leaves half a cursor.
    pathlib.Path("cursor.new").write_text(page["cursor"])
    os.replace("cursor.new", saved)
