import { batchByKey } from '../../../platform/database/batching/batch-reads.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'
import { limitConcurrency } from '../../../platform/scheduling/concurrency-limit.ts'
import { listLimits } from '../../limits.ts'
import {
  type Counted,
  type CountedPage,
  countedPage,
  isByIds,
  type Shape,
  shapeOf,
  termsOfAsked,
} from './counted-page.sql.ts'
import { type ItemTexts, itemTexts } from './page-form.ts'
import { isDeep, sortedPage } from './sorted-page.sql.ts'

type AskedPage = CountedPage & { shape: Shape }

type FoundPage = ItemTexts & { place: number }

/** Undefined for a page that has to be asked for alone. */
export type ReadCountedPage = (page: CountedPage) => Promise<ItemTexts> | undefined

/** Pages of one project that are asked for in one moment share a statement, as single products do. */
export function batchPages(database: Queryable): ReadCountedPage {
  // Sixteen pages along an index take a hundred times as long as a product, and each order is a group of its own: together they would take
  // all connections of tokens and single products.
  const sorted = limitConcurrency({
    most: listLimits.sortedStatements,
    patienceSeconds: listLimits.sortedWaitSeconds,
  })
  const read = batchByKey({
    groupOf,
    keyOf,
    keysPerStatement: () => 16,
    atOnce: listLimits.sortedStatements,
    async load(pages: AskedPage[]) {
      const ask = () => database.query(sql<FoundPage>`${selectPages(pages)}`)
      const found = await (pages.every(isByIds) ? ask() : sorted.run(ask))
      return new Map(found.map(({ place, ...page }) => [keyOf(pages[place - 1] as AskedPage), page]))
    },
  })
  return (page) => {
    const shape = sharedShape(page)
    return shape && (read({ ...page, shape }) as Promise<ItemTexts>)
  }
}

/** In another order only the whole project has one plan that is right whatever it holds: along the index of its one field. */
function sharedShape(asked: CountedPage): Shape | undefined {
  const { counted, page, ordering } = asked
  const shape = shapeOf(counted)
  if (shape === undefined || isByIds(asked)) return shape
  const isWhole = !Object.values(shape).some(Boolean)
  return isWhole && !ordering.includes(',') && !isDeep(page) ? shape : undefined
}

/** Of one project, so that none waits for another's pages, and of one text. */
function groupOf({ counted, shape, page, ordering }: AskedPage): string {
  return [counted.projectId, ...Object.values(shape), page.number === 1, ordering].join(' ')
}

function keyOf({ counted: { category, statuses, types }, page }: AskedPage): string {
  return [category, statuses[0], types[0], page.number, page.size].join(' ')
}

function selectPages(pages: AskedPage[]): Sql {
  const [one] = pages as [AskedPage]
  const { shape, page, ordering } = one
  const terms = termsOfAsked(shape)
  const ofOne = isByIds(one)
    ? countedPage(terms, itemTexts, { isFirst: page.number === 1, descending: ordering === '-id' })
    : sortedPage(terms, sql`product.project_id = asked.project_id`, ordering, itemTexts)
  const counted = pages.map((asked) => asked.counted)
  const first = pages.map(({ page: { number, size } }) => (number === 'last' ? null : (number - 1) * size))
  const of = (value: (one: Counted) => unknown) => counted.map(value)
  return sql`
    select asked.place, page.*
    from unnest(
      ${of(({ projectId }) => projectId)}::bigint[], ${of(({ category }) => category)}::bigint[],
      ${of(({ statuses }) => statuses[0])}::text[], ${of(({ types }) => types[0])}::text[],
      ${first}::bigint[], ${pages.map((asked) => asked.page.size)}::bigint[]
    ) with ordinality as asked (project_id, category_id, status, product_type, first, size, place),
    lateral (${ofOne}) as page`
}
