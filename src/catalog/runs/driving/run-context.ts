import type { FastifyBaseLogger } from 'fastify'
import { parseVersion, type VersionNumber } from '../../../model/prompts/version-number.ts'
import type { ChosenView, Views } from '../../../model/views/views.ts'
import type { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { ConcurrencyLimit } from '../../../platform/scheduling/concurrency-limit.ts'
import type { SecretCipher } from '../../../platform/secrets/secret-cipher.ts'
import type { ModelResponse, Models } from '../../ai-providers/call-model.ts'
import { type ModelPrice, type OpenProvider, openProvider } from '../../ai-providers/open-provider.ts'
import type { Template } from '../../model-requests/fill-prompt.ts'
import { responseSchema, type WrittenField, writtenFields } from '../../model-requests/written-fields.ts'
import { findPromptVersion } from '../../prompts/prompt-version.sql.ts'
import { flattenVariables } from '../../rendering/given-variables.ts'
import { viewVariables } from '../../rendering/product-variables.ts'
import type { Rulesets } from '../../rulesets/rulesets.ts'
import { isFree } from '../money.ts'
import type { RunRow } from '../run.sql.ts'
import type { RunReason } from '../run-states.ts'
import { findLostAccess } from './access.sql.ts'

export type DriveTools = {
  /** Jobs have connections of their own; proposals are created on those of pushes. */
  database: Pick<Database, 'jobs' | 'transaction'>
  cipher: SecretCipher
  models: Models
  rulesets: Rulesets
  /** From which the delimiters around product values are derived. */
  secret: () => Promise<string>
  /** Calls in progress in this process. */
  slots: ConcurrencyLimit
  countCall: (result: ModelResponse['outcome']) => void
  log: Pick<FastifyBaseLogger, 'warn'>
}

/** What the calls of a run have in common. */
export type RunContext = {
  projectId: number
  run: RunRow
  template: Template
  given: ReadonlyMap<string, string>
  /** The view that the run writes. */
  chosenView: ChosenView | undefined
  fields: WrittenField[]
  schema: object
  provider: OpenProvider
  model: ModelPrice
  secret: string
  currency: string
}

/** Checks the starter and the provider of a run, as each claim does, and reads what its calls need. */
export async function readContext(
  { database: { jobs }, cipher, rulesets, secret }: DriveTools,
  projectId: number,
  run: RunRow,
): Promise<RunContext | { reason: RunReason }> {
  const lost = await findLostAccess(jobs, projectId, run)
  if (lost !== undefined) return { reason: lost }
  const opened = await openProvider(jobs, cipher, projectId, run.provider)
  if ('reason' in opened) return { reason: opened.reason }
  const { provider } = opened
  const model = provider.models.find(({ name }) => name === run.model)
  if (model === undefined) return { reason: 'provider_gone' }
  if (provider.currency !== run.currency) return { reason: 'currency_mismatch' }
  if (run.budget === null && !isFree(model)) return { reason: 'budget_required' }
  const [project] = await jobs.query(sql<{ project_id: number; ruleset: number; currency: string }>`
    select id as project_id, ruleset, currency from projects where id = ${projectId}`)
  const number = parseVersion(run.version_number) as VersionNumber
  const version = await findPromptVersion(jobs, projectId, run.prompt_id, number)
  if (project === undefined || version === undefined) return { reason: 'unexpected_error' }
  const { definitions, views } = await rulesets.of(project)
  const view = run.view === null ? undefined : views?.byCode.get(run.view)
  if (run.view !== null && view === undefined) return { reason: 'view_gone' }
  const fields = writtenFields(run.fields, definitions, run.view)
  const given = flattenVariables(run.variables).values
  const { prompt_id, version_number } = run
  return {
    ...{
      projectId,
      run,
      fields,
      schema: responseSchema(fields),
      provider,
      model,
      currency: project.currency,
    },
    template: { prompt_id, version_number, text: version.prompt_text },
    given: view === undefined ? given : new Map([...viewVariables(view), ...given]),
    chosenView: view && { view, views: views as Views },
    secret: await secret(),
  }
}
