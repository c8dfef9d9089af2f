import { type Command, InvalidArgumentError } from 'commander'
import { requireProject } from '../../../access/projects/project.sql.ts'
import { openRulesets } from '../../../catalog/rulesets/rulesets.ts'
import { createRun } from '../../../catalog/runs/create-run.ts'
import { planRun } from '../../../catalog/runs/plan-run.ts'
import { previewRun } from '../../../catalog/runs/preview-run.ts'
import type { Run } from '../../../catalog/runs/run.schema.ts'
import { showRun } from '../../../catalog/runs/run.sql.ts'
import { type RunCreate, RunCreateSchema, type RunPreview } from '../../../catalog/runs/run-create.schema.ts'
import type { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { storedSecret } from '../../../platform/database/stored-secret.ts'
import { checkInput } from '../../../platform/http/body/check-input.ts'
import { secretCipher } from '../../../platform/secrets/secret-cipher.ts'
import { configFrom, parseId } from '../../command.ts'
import { commandLineAuthor } from '../../command-line-actor.ts'
import { commandWithProject, type ProjectOptions, withProject } from '../../project-command.ts'
import { printPreview, printRun } from './print-run.ts'

type StartOptions = ProjectOptions & {
  label?: string
  versionNumber?: string
  filter?: string
  products?: number[]
  limit?: number
  write: string[]
  view?: string
  provider: string
  model: string
  sample?: number
  budget?: number
  currency?: string
  variables?: object
  reuse: boolean
  dryRun?: boolean
}

export function startCommand(): Command {
  return commandWithProject('start', 'Run a prompt for products; a running service makes the calls')
    .argument('<prompt>', 'Prompt ID', parseId)
    .option('--label <label>', 'Version that the label points to (default: the latest version)')
    .option('--version-number <number>', 'Version of the prompt')
    .option('--filter <query>', 'Products, as the query string of GET /products')
    .option('--products <ids>', 'Comma-separated product IDs', parseIds)
    .option('--limit <count>', 'Maximum number of products', parseId)
    .requiredOption('--write <fields>', 'Comma-separated fields, such as description,attributes.color', split)
    .option('--view <code>', 'View whose fields the run writes (default: the base)')
    .requiredOption('--provider <name>', 'AI provider of the project')
    .requiredOption('--model <name>', 'Model of the provider')
    .option('--sample <count>', 'Products after which the run waits for a review (default: 20)', parseCount)
    .option('--budget <amount>', 'Most that the run can spend', parseAmount)
    .option('--currency <code>', "Currency of the budget (default: the project's currency)")
    .option('--variables <json>', 'Values of variables, as a JSON object', parseObject)
    .option('--no-reuse', 'Call the model even if an earlier call had the same input')
    .option('--dry-run', 'Show prompts and costs, and call no model')
    .addHelpText(
      'after',
      `
Examples:
  catalog run start 2 --project 1 --filter status=active --write description --provider house --model llama-3.3 --budget 5
  catalog run start 2 --project 1 --products 7,8 --write name --provider house --model llama-3.3 --budget 1 --dry-run
  catalog run start 3 --project 1 --filter missing_in=de --view de --write name,description --provider house --model llama-3.3 --budget 5`,
    )
    .action(async (prompt: number, options: StartOptions) => {
      const result = await withProject(options, (database) => startOrPreview(database, prompt, options))
      if ('prompts' in result) printPreview(options, result)
      else printRun(options, result)
    })
}

async function startOrPreview(
  database: Database,
  prompt: number,
  options: StartOptions,
): Promise<Run | RunPreview> {
  const { currency } = await requireProject(database, options.project)
  const request = checkInput<RunCreate>(RunCreateSchema, requestOf(options, currency))
  const cipher = secretCipher(database, configFrom(options).webhookKeys)
  const [row] = await database.query(
    sql<{ ruleset: number }>`select ruleset from projects where id = ${options.project}`,
  )
  const project = { project_id: options.project, currency, ruleset: row?.ruleset ?? 0 }
  const plan = await planRun({ database, cipher, rulesets: openRulesets(database) }, project, prompt, request)
  if (request.dry_run === true)
    return previewRun(database, plan, request, await storedSecret(database, 'runs')())
  return showRun(await createRun(database, plan, request, { ...commandLineAuthor(), tokenId: null }))
}

function requestOf(options: StartOptions, ownCurrency: string): RunCreate {
  const { label, versionNumber, filter, products, limit, write, view, provider, model } = options
  const { sample, budget, currency = ownCurrency, variables, reuse, dryRun } = options
  const given = {
    ...{ label, version_number: versionNumber, filter, products, limit, write, view, provider, model },
    ...{
      sample,
      variables,
      reuse,
      dry_run: dryRun,
      budget: budget === undefined ? undefined : { amount: budget, currency },
    },
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as RunCreate
}

function split(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

function parseIds(text: string): number[] {
  return split(text).map(parseId)
}

function parseCount(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('use a number such as 20')
  return Number(text)
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // The message below also applies to JSON that is not an object.
  }
  throw new InvalidArgumentError('use a JSON object such as {"tone": "formal"}')
}

export function parseAmount(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('use an amount such as 2.50')
  return Number(text)
}
