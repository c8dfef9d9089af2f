import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { Catalog } from '../../client/catalog.ts'

/** A connector: it saves every product and event that it receives, and then the cursor, in a folder. */
const [url = '', token = '', folder = ''] = process.argv.slice(2)
const saved = `${folder}/cursor`
const record = (entry: object) => appendFileSync(`${folder}/received`, `${JSON.stringify(entry)}\n`)

await new Catalog({ url, token }).follow({
  after: existsSync(saved) ? readFileSync(saved, 'utf8') : undefined,
  onCopy: ({ id, version }) => record({ copied: id, version }),
  onEvent: ({ id, cursor }) => record({ event: id, cursor }),
  onCursor(cursor) {
    writeFileSync(`${saved}.new`, cursor)
    renameSync(`${saved}.new`, saved)
  },
})
