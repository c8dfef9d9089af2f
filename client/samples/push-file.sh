curl -H "Authorization: Bearer $CATALOG_TOKEN" -H 'Content-Type: application/x-ndjson' \
  --data-binary @products.ndjson http://127.0.0.1:8080/v2/products/bulk
