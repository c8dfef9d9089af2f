import type { Queryable } from '../../platform/database/database.ts'
import { findNames } from './product-names.sql.ts'
import type { FileLine } from './rows/file-line.ts'

/** Names new products without a name after their parent, or else their SKU. Existing products keep their names. */
export async function nameLines(
  database: Queryable,
  projectId: number,
  lines: FileLine[],
): Promise<FileLine[]> {
  const nameless = lines.filter(({ nameOf }) => nameOf !== undefined)
  if (nameless.length === 0) return lines
  const products = new Map(nameless.map((line) => [line, JSON.parse(String(line.line.bytes))]))
  const skus = nameless.flatMap((line) => [line.nameOf ?? '', products.get(line).sku ?? ''])
  const names = await findNames(database, projectId, [...new Set(skus)])
  return lines.map((one) => {
    const product = products.get(one)
    if (product === undefined || names.has(product.sku)) return one
    const name = names.get(one.nameOf ?? '') ?? product.sku
    return { ...one, line: { ...one.line, bytes: Buffer.from(JSON.stringify({ ...product, name })) } }
  })
}
