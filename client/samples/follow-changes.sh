curl -H "Authorization: Bearer $CATALOG_TOKEN" \
  "http://127.0.0.1:8080/v2/events?after=0&types=product.*&limit=5"
