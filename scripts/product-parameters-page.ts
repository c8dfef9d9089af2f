type Schema = {
  type?: string | string[]
  enum?: string[]
  format?: string
  items?: Schema
  default?: unknown
  'x-aliases'?: string[]
}
type Parameter = { name: string; in: string; schema: Schema; description?: string }
type Document = { paths: Record<string, Record<string, { parameters: Parameter[] }>> }

/** The query parameters of the product list. */
export function productParametersPage(openApi: object): string {
  const parameters = (openApi as Document).paths['/products']?.['get']?.parameters ?? []
  const rows = parameters.filter((parameter) => parameter.in === 'query').map(rowOf)
  return `# Product list parameters

Generated from the OpenAPI document by \`npm run generate\`. [List
products](../guide/list-products.md) has an example of each parameter.

Facets, exports and proposals from a filter accept the same filters.

| Suffix | Matches |
|---|---|
| none | the value |
| \`__in\` | one of several values, separated by commas |
| \`__gte\`, \`__lte\` | values from, and values up to |
| \`__lt\` | values below; times before |
| \`__under\` | the category, and all categories below it |
| \`__icontains\` | a part of the text, in any case |
| \`__isnull\` | \`true\`: products without a value; \`false\`: products with one |

| Parameter | Type | Alias | Description |
|---|---|---|---|
${rows.join('\n')}
`
}

function rowOf({ name, schema, description = '' }: Parameter): string {
  const aliases = (schema['x-aliases'] ?? []).map((alias) => `\`${alias}\``).join(', ')
  const meaning = description.replace(/\.?\s*Alias(es)?: .*$/, '')
  const standard = schema.default === undefined ? '' : `; default \`${schema.default}\``
  return `| \`${name}\` | ${typeOf(schema)}${standard} | ${aliases} | ${meaning.replaceAll('|', '\\|')} |`
}

function typeOf({ type, enum: values, format, items }: Schema): string {
  if (items !== undefined) return `list of ${typeOf(items)}`
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ')
  if (format === 'date-time') return 'time'
  if (type === 'object') return 'one parameter per attribute'
  return [type].flat().join(' or ')
}
