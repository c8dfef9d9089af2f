/** What GET /client/ shows to people. Only versioned URLs, whose bytes never change. */
export function installationText(url: string, version: string): string {
  return `catalog-client ${version}: a typed client for this service

Install it with npm (Node.js 20 or later, Bun):

  npm install ${url}/client/catalog-client-${version}.tgz

Import it without installing it (Deno, browsers):

  import { Catalog } from '${url}/client/${version}/index.js'

List the active products:

  import { Catalog } from 'catalog-client'

  const catalog = new Catalog({ url: '${url}', token: process.env.CATALOG_TOKEN ?? '' })
  for await (const product of catalog.products.all({ status: 'active' })) console.log(product.sku)

This version works with every later release of the service.
The API reference is at ${url}/docs
`
}
