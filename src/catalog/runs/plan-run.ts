import { isProductVariable } from '../../model/prompts/product-variable-names.ts'
import type { Ruleset } from '../../model/quality/ruleset.ts'
import type { ChosenView, Views } from '../../model/views/views.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { escapePointer } from '../../platform/http/body/json-scan.ts'
import { type InputError, Problem } from '../../platform/http/problems.ts'
import { suggestNames } from '../../platform/http/request/suggest-names.ts'
import type { SecretCipher } from '../../platform/secrets/secret-cipher.ts'
import { type ModelPrice, type OpenProvider, openProvider } from '../ai-providers/open-provider.ts'
import type { Template } from '../model-requests/fill-prompt.ts'
import { isWritable } from '../model-requests/written-fields.ts'
import { prepareFilters } from '../products/prepare-filters.ts'
import type { Filters } from '../products/product-filters.ts'
import { requirePrompt } from '../prompts/prompt.sql.ts'
import { filterProblem, readFilter } from '../proposals/read-filter.ts'
import { flattenVariables } from '../rendering/given-variables.ts'
import { viewVariables } from '../rendering/product-variables.ts'
import { chooseVersion } from '../rendering/render-prompt.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'
import { readBudget } from './change-run.ts'
import { isFree } from './money.ts'
import type { RunCreate } from './run-create.schema.ts'

/** The project of a run, with the ruleset in force. */
export type RunProject = { project_id: number; currency: string; ruleset: number }

export type RunTools = { database: Queryable; cipher: SecretCipher; rulesets: Rulesets }

/** A checked request for a run. */
export type RunPlan = {
  project: RunProject
  ruleset: Ruleset
  template: Template
  given: ReadonlyMap<string, string>
  /** The view that the run writes; undefined if it writes the base. */
  chosenView: ChosenView | undefined
  provider: OpenProvider
  model: ModelPrice
  /** In millionths; null if the model is free. */
  budget: bigint | null
  chosen: { filters: Filters; limit: number | undefined } | { products: number[] }
}

/** Checks a request. Reports all errors in the body together. */
export async function planRun(
  { database, cipher, rulesets }: RunTools,
  project: RunProject,
  promptId: number,
  request: RunCreate,
): Promise<RunPlan> {
  const prompt = await requirePrompt(database, project.project_id, promptId)
  const version = await chooseVersion(database, prompt, request)
  const given = flattenVariables(request.variables ?? {})
  const ruleset = await rulesets.of(project)
  const chosenView = findView(ruleset.views, request.view)
  const known = new Map([
    ...(chosenView === undefined ? [] : viewVariables(chosenView.view)),
    ...given.values,
  ])
  const names = version.value?.variables ?? []
  const errors = [
    ...(version.errors ?? []),
    ...given.errors,
    ...checkFields(request.write),
    ...checkView(ruleset.views, request.view),
    ...(request.dry_run === true ? [] : missingVariables(names, known)),
    ...checkChoice(request),
  ]
  if (errors.length > 0 || version.value === undefined) throw new Problem('invalid_body', { errors })
  const provider = await requireProvider(database, cipher, project.project_id, request.provider)
  const { model, budget } = checkCost(provider, request)
  const { prompt_text: text, version_number } = version.value
  return {
    ...{ project, ruleset, given: known, chosenView, provider, model, budget },
    template: { prompt_id: promptId, version_number, text },
    chosen: await chooseProducts(database, rulesets, project, request),
  }
}

async function chooseProducts(
  database: Queryable,
  rulesets: Rulesets,
  project: RunProject,
  { products, filter = '', limit }: RunCreate,
): Promise<RunPlan['chosen']> {
  if (products !== undefined) return { products: products.slice(0, limit) }
  const query = readFilter(filter)
  const filters = await prepareFilters(database, rulesets, project, query).catch((error) => {
    throw error instanceof Problem ? filterProblem(error) : error
  })
  return { filters, limit }
}

function checkChoice({ products, filter }: RunCreate): InputError[] {
  if (products === undefined && filter === undefined)
    return [{ pointer: '/filter', code: 'required', message: 'is required; send either filter or products' }]
  if (products === undefined || filter === undefined) return []
  return [{ pointer: '/products', code: 'contradiction', message: 'cannot be combined with filter' }]
}

function checkFields(fields: readonly string[]): InputError[] {
  return fields.flatMap((field, index) => {
    if (isWritable(field)) return []
    const message =
      'is not a field that a run can write: name, description, short_description or attributes.<name>'
    return [{ pointer: `/write/${index}`, code: 'unknown_field', message }]
  })
}

function findView(views: Views | undefined, code: string | undefined): ChosenView | undefined {
  const view = code === undefined ? undefined : views?.byCode.get(code)
  return views === undefined || view === undefined ? undefined : { view, views }
}

function checkView(views: Views | undefined, code: string | undefined): InputError[] {
  if (code === undefined || views?.byCode.has(code) === true) return []
  const message = `is not a view of this project${suggestNames(code, [...(views?.byCode.keys() ?? [])])}`
  return [{ pointer: '/view', code: 'unknown_view', message }]
}

/** A variable that products may have is checked for each product. */
function missingVariables(names: readonly string[], given: ReadonlyMap<string, string>): InputError[] {
  return names
    .filter((name) => !given.has(name) && !isProductVariable(name))
    .map((name) => ({
      pointer: `/variables/${escapePointer(name)}`,
      code: 'missing_variable',
      message: `the text uses {{${name}}}, which is neither given nor a product field`,
    }))
}

const whyNot = {
  provider_gone: 'does not exist',
  provider_disabled: 'is disabled',
  key_unreadable: 'has a key that the service cannot decrypt',
}

async function requireProvider(
  database: Queryable,
  cipher: SecretCipher,
  projectId: number,
  name: string,
): Promise<OpenProvider> {
  const opened = await openProvider(database, cipher, projectId, name)
  if ('provider' in opened) return opened.provider
  throw new Problem('no_provider', { detail: `The provider "${name}" ${whyNot[opened.reason]}.` })
}

function checkCost(
  provider: OpenProvider,
  { model: name, budget }: RunCreate,
): Pick<RunPlan, 'model' | 'budget'> {
  const model = provider.models.find((one) => one.name === name)
  if (model === undefined) {
    const names = provider.models.map((one) => one.name).join(', ')
    throw invalid('/model', 'unknown_model', `is not a model of the provider, which has ${names}`)
  }
  if (budget === undefined) {
    if (isFree(model)) return { model, budget: null }
    throw invalid('/budget', 'budget_required', 'is required, because the model is not free')
  }
  if (budget.currency !== provider.currency)
    throw invalid(
      '/budget/currency',
      'currency_mismatch',
      `must be ${provider.currency}, the currency of the provider`,
    )
  return { model, budget: readBudget(budget.amount, '/budget/amount') }
}

function invalid(pointer: string, code: string, message: string): Problem {
  return new Problem('invalid_body', { errors: [{ pointer, code, message }] })
}
