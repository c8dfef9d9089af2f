echo '{"sku": "POT-20", "name": "Terracotta pot, 20 cm", "price": 12.5}' >products.ndjson
echo '{"sku": "POT-30", "name": "Terracotta pot, 30 cm", "price": 19}' >>products.ndjson
curl -H "Authorization: Bearer $CATALOG_TOKEN" -H 'Content-Type: application/x-ndjson' \
  --data-binary @products.ndjson http://127.0.0.1:8080/v2/products/bulk
