import { open } from 'node:fs/promises'
import { Catalog } from 'catalog-client'

const catalog = new Catalog({ url: 'http://127.0.0.1:8080', token: process.env.CATALOG_TOKEN ?? '' })
const file = await open('products.ndjson')
const summary = await catalog.products.push(file.readLines(), {
  onVerdict({ line, sku, outcome, errors }) {
    if (outcome === 'rejected') console.error(line, sku, errors)
  },
})
console.log(summary)
