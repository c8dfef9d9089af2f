import os

import httpx

headers = {
    "Authorization": f"Bearer {os.environ['CATALOG_TOKEN']}",
    "Content-Type": "application/x-ndjson",
}
with open("products.ndjson", "rb") as file:
    response = httpx.post(
        "http://127.0.0.1:8080/v2/products/bulk",
        headers=headers,
        content=file.read(),
        timeout=120,
    )
response.raise_for_status()
body = response.json()
for result in body["results"]:
    if result["outcome"] == "rejected":
        print(result["line"], result["sku"], result["errors"])
print(body["summary"])
