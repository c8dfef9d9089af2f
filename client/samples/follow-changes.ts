import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { Catalog } from 'catalog-client'

const catalog = new Catalog({ url: 'http://127.0.0.1:8080', token: process.env.CATALOG_TOKEN ?? '' })
await catalog.follow({
  after: existsSync('cursor') ? readFileSync('cursor', 'utf8') : undefined,
  onCopy: (product) => console.log('copy', product.sku),
  onEvent: (event) => console.log(event.type, event.data.sku),
  onCursor(cursor) {
    // Renaming is atomic: a crash never leaves half a cursor.
    writeFileSync('cursor.new', cursor)
    renameSync('cursor.new', 'cursor')
  },
  onRestart: (problem) => console.log('copying again:', problem.code),
})
