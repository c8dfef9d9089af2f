import { runLimits } from '../../model/limits/runs.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { planEachTime, sql } from '../../platform/database/sql.ts'
import { mapInTurns } from '../../platform/scheduling/map-in-turns.ts'
import { requestBytes } from '../ai-providers/call-model.ts'
import { delimiterOf, fillPrompt, systemMessage } from '../model-requests/fill-prompt.ts'
import { responseSchema, writtenFields } from '../model-requests/written-fields.ts'
import { findProducts } from '../products/product.sql.ts'
import { matchingProducts } from '../products/product-filters.ts'
import { productVariables, sourceVariables } from '../rendering/product-variables.ts'
import { costOf, fromMillionths, worstCase } from './money.ts'
import type { RunPlan } from './plan-run.ts'
import type { RunCreate, RunPreview } from './run-create.schema.ts'

/** Expected tokens per field in a response, if no earlier run has written the same fields. */
const tokensPerField = 120
/** In European languages, a token has about four bytes. */
const bytesPerToken = 4

/** Fills the prompt for all products, and estimates the cost. Makes no call, and stores nothing. */
export async function previewRun(
  database: Queryable,
  plan: RunPlan,
  request: RunCreate,
  secret: string,
): Promise<RunPreview> {
  const { template, model, provider, given, project, chosenView } = plan
  const ids = await listChosen(database, plan)
  const missing = new Map<string, number>()
  const prompts: RunPreview['prompts'] = []
  const fixedBytes = await measureFixed(plan, request.write)
  const outputTokens = await expectOutput(database, plan, request.write)
  let [largest, expected] = [0n, 0n]
  for (let start = 0; start < ids.length; start += runLimits.previewedProducts) {
    const keys = ids
      .slice(start, start + runLimits.previewedProducts)
      .map((id) => ({ projectId: project.project_id, id }))
    await mapInTurns([...(await findProducts(database, keys)).values()], (row) => {
      const product =
        chosenView === undefined ? productVariables(row, project.currency) : sourceVariables(row, chosenView)
      const values = { product, given }
      const filled = fillPrompt(template, values, delimiterOf(secret, 0, row.id))
      for (const name of filled.missing) missing.set(name, (missing.get(name) ?? 0) + 1)
      if (filled.missing.length > 0 || filled.isTooLong) return
      if (prompts.length < runLimits.shownPrompts) prompts.push({ product_id: row.id, text: filled.text })
      const bytes = fixedBytes + jsonBytes(filled.text)
      largest += worstCase(bytes, model)
      expected += costOf({ input: Math.ceil(bytes / bytesPerToken), output: outputTokens }, model)
    })
  }
  return {
    products: ids.length,
    prompts,
    missing_variables: [...missing].map(([name, products]) => ({ name, products })),
    cost: {
      expected: fromMillionths(expected),
      largest: fromMillionths(largest),
      currency: provider.currency,
    },
  }
}

/** Without the quotes, which an empty text has too. */
function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2
}

/** The size of a request without its prompt: it is the same for all products. */
function measureFixed({ provider, model, ruleset }: RunPlan, fields: readonly string[]): Promise<number> {
  const empty = ''
  const request = {
    ...{ model: model.name, system: systemMessage(delimiterOf('', 0, 0)), user: empty },
    ...{
      schema: responseSchema(writtenFields(fields, ruleset.definitions)),
      signal: new AbortController().signal,
    },
    maxOutputTokens: model.max_output_tokens,
  }
  return requestBytes(provider, request)
}

/** The average of earlier runs of the prompt with the model, if they wrote the same fields. */
async function expectOutput(
  database: Queryable,
  { project, template, model }: RunPlan,
  fields: readonly string[],
): Promise<number> {
  const [row] = await database.query(sql<{ tokens: number | null }>`
    select ceil(sum(output_tokens)::float8 / nullif(sum(done + declined - reused), 0))::int as tokens from runs
    where project_id = ${project.project_id} and prompt_id = ${template.prompt_id} and model = ${model.name} and fields = ${fields}::text[]`)
  return Math.min(model.max_output_tokens, row?.tokens ?? fields.length * tokensPerField)
}

async function listChosen(database: Queryable, { project, chosen }: RunPlan): Promise<number[]> {
  if ('products' in chosen) {
    const rows = await database.query(sql<{ id: number }>`
      select id from products where project_id = ${project.project_id} and id = any(${chosen.products}::bigint[]) order by id`)
    return rows.map(({ id }) => id)
  }
  const limit = Math.min(chosen.limit ?? runLimits.products, runLimits.products)
  const rows = await database.query(
    planEachTime(sql<{ id: number }>`
      select product.id from products as product where ${matchingProducts(project.project_id, chosen.filters)}
      order by product.id limit ${limit}`),
  )
  return rows.map(({ id }) => id)
}
