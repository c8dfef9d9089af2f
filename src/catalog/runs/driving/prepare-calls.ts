import { contentOf, contentValueAt } from '../../../model/product/product-content.ts'
import type { ProductRow } from '../../../model/product/product-row.ts'
import { sourceFingerprint } from '../../../model/views/resolve-view.ts'
import type { ChosenView } from '../../../model/views/views.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { requestBytes } from '../../ai-providers/call-model.ts'
import type { ModelRequest } from '../../ai-providers/model-request.ts'
import {
  delimiterOf,
  type FilledPrompt,
  fillPrompt,
  inputHash,
  systemMessage,
} from '../../model-requests/fill-prompt.ts'
import { findProducts, productKey } from '../../products/product.sql.ts'
import { productVariables, sourceVariables } from '../../rendering/product-variables.ts'
import { worstCase } from '../money.ts'
import { type Candidate, type EarlierCall, findEarlierCalls, type WithoutCall } from './candidates.sql.ts'
import type { Reservation } from './reservation.sql.ts'
import type { RunContext } from './run-context.ts'

/** A call that is ready to be made. */
export type PreparedCall = Reservation & {
  productId: number
  request: Omit<ModelRequest, 'signal'>
  filled: Pick<FilledPrompt, 'source' | 'productValues'>
}

export type PreparedCalls = {
  ended: WithoutCall[]
  calls: PreparedCall[]
  /** Whether products wait for a call with the same input. */
  hasDeferred: boolean
}

type Filled = Pick<PreparedCall, 'place' | 'productId' | 'input_hash' | 'base'> & {
  filled: FilledPrompt
  delimiter: string
}

/** Fills the prompts of products, and finds those that need no call. At most `limit` calls are measured. */
export async function prepareCalls(
  database: Queryable,
  context: RunContext,
  candidates: readonly Candidate[],
  limit: number,
): Promise<PreparedCalls> {
  const { projectId } = context
  const rows = await findProducts(
    database,
    candidates.map(({ product_id }) => ({ projectId, id: product_id })),
  )
  const ended: WithoutCall[] = []
  const filled: Filled[] = []
  for (const { place, product_id } of candidates) {
    const row = rows.get(productKey({ projectId, id: product_id }))
    const one = row === undefined ? 'product_gone' : fill(context, place, row)
    if (typeof one === 'string') ended.push({ place, state: 'skipped', error: one })
    else filled.push(one)
  }
  const earlier = await findEarlier(database, context, filled)
  const calls: PreparedCall[] = []
  const taken = new Set<string>()
  let hasDeferred = false
  for (const one of filled) {
    const known = earlier.get(one.input_hash)
    if (known !== undefined && known.state !== 'calling') ended.push(reused(one, known))
    else if (known !== undefined || taken.has(one.input_hash)) hasDeferred = true
    else if (calls.length < limit) {
      if (context.run.reuse) taken.add(one.input_hash)
      calls.push(await measure(context, one))
    }
  }
  return { ended, calls, hasDeferred }
}

async function findEarlier(
  database: Queryable,
  { projectId, run }: RunContext,
  filled: readonly Filled[],
): Promise<Map<string, EarlierCall>> {
  if (!run.reuse || filled.length === 0) return new Map()
  const hashes = [...new Set(filled.map(({ input_hash }) => input_hash))]
  return new Map((await findEarlierCalls(database, projectId, hashes)).map((call) => [call.input_hash, call]))
}

function reused({ place, input_hash, base }: Filled, { state, response, flags }: EarlierCall): WithoutCall {
  return { place, state: state as 'done' | 'declined', error: null, input_hash, base, response, flags }
}

/** The filled prompt, or why the product is skipped. */
function fill(context: RunContext, place: number, row: ProductRow): Filled | string {
  const { run, template, given, chosenView, schema, model, secret, currency } = context
  const delimiter = delimiterOf(secret, run.id, row.id)
  const variables =
    chosenView === undefined ? productVariables(row, currency) : sourceVariables(row, chosenView)
  const filled = fillPrompt(template, { product: variables, given }, delimiter)
  if (filled.missing.length > 0) return `missing_variable: ${filled.missing.join(', ')}`.slice(0, 500)
  if (filled.isTooLong) return 'prompt_too_long'
  const { quantity, reserved } = row
  const product = { content: contentOf(row), levels: { quantity, reserved } }
  const values = Object.fromEntries(
    context.fields.map(({ field }) => [field, contentValueAt(product, field) ?? null]),
  )
  const settings = {
    max_output_tokens: model.max_output_tokens,
    ...(chosenView && { view: chosenView.view.code }),
  }
  return {
    ...{ place, productId: row.id, filled, delimiter },
    base: {
      version: row.version,
      sku: row.sku,
      values,
      ...(chosenView && sourcesOf(context, row, chosenView)),
    },
    input_hash: inputHash({
      ...template,
      ...{ used: filled.used, provider: run.provider, model: run.model, schema, settings },
    }),
  }
}

/** The fingerprints of the texts that the model reads, by field. */
function sourcesOf(
  { fields }: RunContext,
  row: ProductRow,
  { view, views }: ChosenView,
): Pick<Reservation['base'], 'sources'> {
  const content = contentOf(row)
  const sources = fields.map(({ plain }) => [plain, sourceFingerprint(content, view, views, plain)])
  return { sources: Object.fromEntries(sources) }
}

/** The size of the request body is the most input tokens that it can have. */
async function measure(context: RunContext, { filled, delimiter, ...one }: Filled): Promise<PreparedCall> {
  const { provider, model, schema } = context
  const request = {
    ...{ model: model.name, system: systemMessage(delimiter), user: filled.text, schema },
    maxOutputTokens: model.max_output_tokens,
  }
  const bytes = await requestBytes(provider, { ...request, signal: neverAborted })
  const worst = String(worstCase(bytes, model))
  return { ...one, worst, request, filled: { source: filled.source, productValues: filled.productValues } }
}

const neverAborted = new AbortController().signal
