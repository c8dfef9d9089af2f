/** The end of the path of the field table. */
export const tablePath = '/src/model/fields/product-fields.ts'

const entry = `
  maker: { ...line, label: 'Maker', longest: 80, default: '', description: 'Who makes it' },
`
const endOfTable = '} as const satisfies Record<string, Field>'

/** The source of the field table with one more entry. */
export function withAddedField(source: string): string {
  if (!source.includes(endOfTable)) throw new Error('the field table does not end as expected')
  return source.replace(endOfTable, `${entry}${endOfTable}`)
}
