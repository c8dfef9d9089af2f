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

These are the parameters of \`GET /products\`. Facets, exports and proposals from a filter accept the
same filters. [List products](../guide/list-products.md) shows how to use them.

| Suffix | Matches |
|---|---|
| none | the value |
| \`__in\` | one of several values, separated by commas |
| \`__gte\`, \`__lte\` | values greater than or equal to the bound; less than or equal to it |
| \`__lt\` | values less than the bound; times before it |
| \`__under\` | the category and all its subcategories |
| \`__icontains\` | values that contain the string, regardless of case |
| \`__isnull\` | \`true\`: products without a value; \`false\`: products with one |

| Parameter | Type | Alias | Description |
|---|---|---|---|
${rows.join('\n')}

<!-- Generated from the OpenAPI document by \`npm run generate\`. -->
`
}

function rowOf({ name, schema, description = '' }: Parameter): string {
  const aliases = (schema['x-aliases'] ?? []).map((alias) => `\`${alias}\``).join(', ')
  const meaning = description.replace(/\.?\s*Alias(es)?: .*$/, '')
  const standard = schema.default === undefined ? '' : `; default \`${schema.default}\``
  return `| \`${name}\` | ${typeOf(schema)}${standard} | ${aliases} | ${meaning.replaceAll('|', '\\|')} |`
}

function typeOf({ type, enum: values, format, items }: Schema): string {
  if (items !== undefined) return `list of ${typeOf(items)}${items.enum === undefined ? 's' : ''}`
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ')
  if (format === 'date-time') return 'time'
  if (type === 'object') return 'one parameter per attribute'
  return [type].flat().join(' or ')
}
