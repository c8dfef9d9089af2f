/** The end of the path of the table's file. */
export const tablePath = '/src/model/fields/product-fields.ts'

const entry = `
  maker: { ...line, label: 'Maker', longest: 80, default: '', description: 'Who makes it' },
`
const endOfTable = '} as const satisfies Record<string, Field>'

/** The source of the field table with one more entry, as if a developer had written it there. */
export function withAddedField(source: string): string {
  if (!source.includes(endOfTable)) throw new Error('the field table ends in another way')
  return source.replace(endOfTable, `${entry}${endOfTable}`)
}
