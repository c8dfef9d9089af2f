import { Catalog } from 'catalog-client'

const catalog = new Catalog({ url: 'http://127.0.0.1:8080', token: process.env.CATALOG_TOKEN ?? '' })
for await (const product of catalog.products.all({ status: 'active' })) {
  console.log(product.sku, product.name)
}
