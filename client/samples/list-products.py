import os

import httpx

headers = {"Authorization": f"Bearer {os.environ['CATALOG_TOKEN']}"}
url = "http://127.0.0.1:8080/v2/products?status=active&page_size=500"
while url:
    response = httpx.get(url, headers=headers)
    response.raise_for_status()
    page = response.json()
    for product in page["results"]:
        print(product["sku"], product["name"])
    url = page["next"]
