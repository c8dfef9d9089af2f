import { isDeepStrictEqual } from 'node:util'
import type { ChangeAuthor } from '../../model/events/record-events.sql.ts'
import { saleAttributes } from '../../model/fields/sale-attributes.ts'
import { commonFields, isKeyed, viewFields } from '../../model/fields/view-paths.ts'
import { viewLimits } from '../../model/limits/views.ts'
import { chainOf, findCycle, type StoredViews, type ViewDefinition } from '../../model/views/views.ts'
import { advisoryLocks, lockInProject } from '../../platform/database/advisory-locks.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { type BodyError, notFound, Problem } from '../../platform/http/problems.ts'
import { suggestNames } from '../../platform/http/request/suggest-names.ts'
import { changeRuleset } from '../rulesets/ruleset.sql.ts'
import { currentRuleset } from '../rulesets/rulesets.ts'
import { isOlderRelease } from './older-release.ts'
import type { ViewInput } from './view.schema.ts'
import {
  findProductInView,
  hasAmounts,
  isFirstView,
  listConnectionNames,
  timeAfterWrites,
} from './view.sql.ts'

type Definitions = readonly ViewDefinition[]
type Project = { projectId: number; currency: string }

/** Defines a view, or changes its definition. Creates a new ruleset version, unless nothing changes. Returns the version in force. */
export async function putView(
  tx: Transaction,
  { projectId, currency: ofProject }: Project,
  author: ChangeAuthor,
  code: string,
  input: ViewInput,
): Promise<number> {
  const { label, locale = null, currency = ofProject, falls_back_to = [], requires = [] } = input
  const view: ViewDefinition = { code, label, locale, currency, falls_back_to, requires }
  rejectErrors(findFieldErrors(requires))
  if (await isFirstView(tx)) await rejectOlderReleases(tx)
  // Before the lock of the project, which background work takes while it holds products.
  await lockInProject(tx, advisoryLocks.viewCurrencies, projectId, 'alone')
  const currency_since = await currencyTimes(tx, projectId, view)
  return changeRuleset(tx, projectId, author, (stored) => {
    const definitions = stored.views?.definitions ?? []
    const former = definitions.find((one) => one.code === code)
    if (former !== undefined && isDeepStrictEqual(former, view)) return stored
    const others = definitions.filter((one) => one.code !== code)
    if (others.length >= viewLimits.views) throw new Problem('view_limit')
    const next = [...others, view].toSorted((one, other) => (one.code < other.code ? -1 : 1))
    rejectErrors([...findFallbackErrors(next, view), ...findRequiringErrors(next)])
    return { ...stored, views: { currency: ofProject, definitions: next, currency_since } }
  })
}

/**
 * When each view got its currency, including this one. If it gets another currency, products must have no amounts in it. The lock
 * prevents new ones.
 */
async function currencyTimes(
  tx: Transaction,
  projectId: number,
  { code, currency }: ViewDefinition,
): Promise<Record<string, string>> {
  const { views } = await currentRuleset(tx, projectId)
  const times = Object.fromEntries(views?.currencySince ?? [])
  if (views?.byCode.get(code)?.currency === currency) return times
  if (await hasAmounts(tx, projectId, code, saleAttributes.price)) throw new Problem('view_has_prices')
  return { ...times, [code]: await timeAfterWrites(tx, projectId) }
}

async function rejectOlderReleases(tx: Transaction): Promise<void> {
  if ((await listConnectionNames(tx)).some(isOlderRelease)) throw new Problem('older_release')
}

/** Rejects a view that does not exist, or that another view falls back to. */
export function requireUnusedView(definitions: Definitions, code: string): void {
  if (!definitions.some((one) => one.code === code)) throw notFound('view', code)
  const above = definitions.find(({ falls_back_to }) => falls_back_to.includes(code))
  if (above === undefined) return
  throw new Problem('view_in_use', {
    detail: `The view ${above.code} falls back to ${code}. Change its fallbacks first.`,
  })
}

export async function deleteView(
  tx: Transaction,
  projectId: number,
  author: ChangeAuthor,
  code: string,
): Promise<void> {
  // Otherwise, an amount that is being written could get the currency of a later view with this code.
  await lockInProject(tx, advisoryLocks.viewCurrencies, projectId, 'alone')
  await changeRuleset(tx, projectId, author, (stored) => {
    const definitions = stored.views?.definitions ?? []
    requireUnusedView(definitions, code)
    const views = stored.views as StoredViews
    const { [code]: _, ...currency_since } = views.currency_since ?? {}
    const others = definitions.filter((one) => one.code !== code)
    return { ...stored, views: { ...views, definitions: others, currency_since } }
  })
  const id = await findProductInView(tx, projectId, code)
  if (id !== undefined)
    throw new Problem('view_in_use', {
      detail: `Product ${id} has values in the view ${code}, and other products may have some too. Remove these values first, or send erase=true.`,
    })
}

const requirable = viewFields.filter((name) => name !== 'status')
const requirableNames = requirable.map((name) => (isKeyed(name) ? `${name}.<name>` : name))

function findFieldErrors(requires: readonly string[]): BodyError[] {
  return requires.flatMap((field, index) => {
    const [group = ''] = field.split('.', 1)
    const isField = (requirable as string[]).includes(group)
    if (isField && isKeyed(group) === field.length > group.length + 1) return []
    const isCommon = (commonFields as string[]).includes(field)
    const message = isCommon
      ? 'is the same in every view'
      : `is not a field that a view can require${suggestNames(field, requirableNames)}`
    const code = isCommon ? 'not_in_views' : 'invalid_choice'
    return [{ pointer: `/requires/${index}`, code, message }]
  })
}

function findFallbackErrors(definitions: Definitions, { code, falls_back_to }: ViewDefinition): BodyError[] {
  const byCode = new Map(definitions.map((one) => [one.code, one]))
  const unknown = falls_back_to.flatMap((one, index) =>
    byCode.has(one)
      ? []
      : {
          pointer: `/falls_back_to/${index}`,
          code: 'unknown_view',
          message: 'is not a view of this project',
        },
  )
  if (unknown.length > 0) return unknown
  const pointer = '/falls_back_to'
  const cycle = findCycle(byCode, code)
  if (cycle !== undefined)
    return [{ pointer, code: 'cycle', message: `leads back to the view itself: ${cycle.join(', ')}` }]
  const long = definitions.find((one) => chainOf(byCode, one.code).length > viewLimits.chain)
  if (long === undefined) return []
  const message = `the chain of the view ${long.code} can have at most ${viewLimits.chain} views`
  return [{ pointer, code: 'too_many', message }]
}

function findRequiringErrors(definitions: Definitions): BodyError[] {
  if (definitions.filter(({ requires }) => requires.length > 0).length <= viewLimits.requiringViews) return []
  const message = `at most ${viewLimits.requiringViews} views of a project can require fields`
  return [{ pointer: '/requires', code: 'too_many', message }]
}

function rejectErrors(errors: BodyError[]): void {
  if (errors.length > 0) throw new Problem('invalid_body', { errors })
}
