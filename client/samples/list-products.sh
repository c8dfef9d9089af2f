curl -H "Authorization: Bearer $CATALOG_TOKEN" \
  "http://127.0.0.1:8080/v2/products?status=active&page_size=5"
