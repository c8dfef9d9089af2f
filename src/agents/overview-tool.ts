import { productTypes, statuses } from '../model/fields/product-fields.ts'
import { shortenedOutput } from './page-content.ts'
import { shortened } from './shorten-content.ts'
import { objectOf, outputOf, type Session, type Tool } from './tool.ts'
import { queryOf } from './tool-query.ts'

const shownCategories = 50
const shownAttributes = 100
const shownRules = 5

const counts = { type: 'object', additionalProperties: { type: 'integer' } }

export const overviewTool: Tool = {
  name: 'catalog_overview',
  title: 'Get an overview of the catalog',
  description:
    'Returns the number of products by status and type, the quality rules that most products fail, the root categories and the attribute definitions. Start here to learn what to ask next. Changes nothing.',
  scope: 'products:read',
  isReadOnly: true,
  input: objectOf({}),
  output: outputOf(
    {
      products: { type: 'integer' },
      by_status: counts,
      by_type: counts,
      root_categories: { type: 'integer', description: `The first ${shownCategories} are shown` },
      attribute_definitions: { type: 'integer', description: `The first ${shownAttributes} are shown` },
      rules_from: { type: 'integer', description: 'Products in the sample that the rules were checked on' },
      ...shortenedOutput,
    },
    { rules: { type: 'array' }, categories: { type: 'array' }, attributes: { type: 'array' } },
  ),
  async run(_args, session) {
    const products = await countOf(session, {})
    const byStatus = await countEach(session, 'status', statuses)
    const byType = await countEach(session, 'product_type', productTypes)
    const rules = await failedRules(session)
    const categories = await session.call('GET', '/categories', {
      query: queryOf({ parent__isnull: true, expand: 'counts', page_size: shownCategories }),
    })
    const attributes = await session.call('GET', '/attributes', {
      query: queryOf({ page_size: shownAttributes }),
    })
    return shortened({
      products,
      by_status: byStatus,
      by_type: byType,
      root_categories: categories.count,
      attribute_definitions: attributes.count,
      rules_from: rules.sample,
      untrusted: { rules: rules.failed, categories: categories.results, attributes: attributes.results },
    })
  },
}

/** Stored counts, so that the cost does not depend on the number of products. */
async function countOf({ call }: Session, filter: Record<string, string>): Promise<number> {
  const { count } = await call('GET', '/products', { query: queryOf({ ...filter, page_size: 1 }) })
  return count
}

/** One at a time, so that an overview does not delay the requests of others. */
async function countEach(session: Session, field: string, values: readonly string[]) {
  const counted: [string, number][] = []
  for (const value of values) counted.push([value, await countOf(session, { [field]: value })])
  return Object.fromEntries(counted)
}

type Rule = { code: string; message?: string }
type Checked = { looked_at: number; rules: { code: string; failed: number }[] }

/** From a sample: counting each rule would read all products once per rule. */
async function failedRules({ call }: Session) {
  const { rules }: { rules: Rule[] } = await call('GET', '/quality-rules')
  const checked: Checked = await call('POST', '/quality-rules/preview', { body: { rules } })
  const failed = checked.rules
    .filter((rule) => rule.failed > 0)
    .sort((one, other) => other.failed - one.failed)
    .slice(0, shownRules)
  return { sample: checked.looked_at, failed }
}
