import type { OpenProvider } from '../../catalog/ai-providers/open-provider.ts'
import { fillPrompt, inputHash, type Template } from '../../catalog/model-requests/fill-prompt.ts'
import { flagValues, repeatedTexts, textKeys } from '../../catalog/model-requests/flag-values.ts'
import { responseSchema, writtenFields } from '../../catalog/model-requests/written-fields.ts'
import { findProducts, productKey } from '../../catalog/products/product.sql.ts'
import type { LineFlag } from '../../catalog/proposals/proposal.schema.ts'
import type { ModelLine } from '../../catalog/proposals/propose-model-lines.ts'
import { productVariables } from '../../catalog/rendering/product-variables.ts'
import { costOf } from '../../catalog/runs/money.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { RunLine } from './demo-data.ts'
import type { DemoCall } from './demo-run.sql.ts'

export const sampleModel = {
  ...{ name: 'sample-writer', input_price: 150_000n, output_price: 600_000n },
  max_output_tokens: 500,
}
/** In millionths. */
export const budget = 1_000_000n

/** What wrote the responses. It is stored nowhere, so no run can use it. */
export const sampleProvider: OpenProvider = {
  ...{ name: 'sample-data', kind: 'openai-compatible', base_url: 'https://models.example/v1', key: null },
  ...{ currency: 'EUR', models: [sampleModel], concurrency: 1, requests_per_minute: null },
  ...{ monthly_budget: null, findings: null, isOffered: false, cap: null },
}

const fields = writtenFields(['short_description'], [])
/** The tokens of the system message and the schema, and the bytes of a token. */
const [fixedTokens, bytesPerToken] = [190, 4]
const noCall = {
  ...{ tokens: { input: 0, output: 0 }, cost: '0', input_hash: null, base: null, response: null, flags: [] },
}

/** Reads the products, fills the prompt, and flags the stored responses, as calls do. */
export async function endCalls(
  tx: Transaction,
  projectId: number,
  template: Template,
  productIds: readonly number[],
  lines: readonly RunLine[],
): Promise<DemoCall[]> {
  const keys = productIds.map((id) => ({ projectId, id }))
  const rows = await findProducts(tx, keys)
  return keys.map((key, index) => {
    const row = rows.get(productKey(key)) as ProductRow
    return { place: index + 1, product_id: row.id, ...endCall(template, row, lines[index] as RunLine) }
  })
}

function endCall(
  template: Template,
  row: ProductRow,
  { text }: RunLine,
): Omit<DemoCall, 'place' | 'product_id'> {
  const values = { product: productVariables(row, sampleProvider.currency), given: new Map<string, string>() }
  const { missing, source, productValues, used } = fillPrompt(template, values, '')
  if (missing.length > 0)
    return { state: 'skipped', error: `missing_variable: ${missing.join(', ')}`, ...noCall }
  const response = { short_description: text }
  const output = Math.ceil(JSON.stringify(response).length / bytesPerToken)
  const tokens = { input: fixedTokens + Math.ceil(source.length / bytesPerToken), output }
  const { version, sku, short_description } = row
  const settings = { max_output_tokens: sampleModel.max_output_tokens }
  const input = {
    provider: sampleProvider.name,
    model: sampleModel.name,
    schema: responseSchema(fields),
    settings,
  }
  return {
    ...{ state: text === null ? 'declined' : 'done', error: null, tokens, response },
    cost: String(costOf(tokens, sampleModel)),
    base: { version, sku, values: { short_description } },
    flags: text === null ? [] : flagValues(response, { text: source, productValues, isCut: false }),
    input_hash: inputHash({ ...template, ...input, used }),
  }
}

export type ProposedLine = Pick<RunLine, 'edited' | 'decision'> & { line: ModelLine }

/** The lines of the proposal, with what became of them. */
export function linesOf(calls: readonly DemoCall[], lines: readonly RunLine[]): ProposedLine[] {
  const done = calls.filter(({ state }) => state === 'done')
  const repeated = repeatedTexts(done.map(({ response }) => textKeys(response ?? {})))
  return done.map(({ place, product_id, response, base, flags }, index) => {
    const { sku, edited, decision } = lines[place - 1] as RunLine
    const isRepeated = textKeys(response ?? {}).some((key) => repeated.has(key))
    const line = {
      ...{ line: index + 1, product_id, sku, values: response ?? {}, base: base as NonNullable<typeof base> },
      flags: [...(flags as LineFlag[]), ...(isRepeated ? (['same_text'] as const) : [])],
    }
    return { line, ...(edited !== undefined && { edited }), ...(decision !== undefined && { decision }) }
  })
}
