import { promptLimits } from '../../model/limits/prompts.ts'
import { renderedLength, renderTemplate } from '../../model/prompts/prompt-template.ts'
import { parseVersion, type VersionNumber } from '../../model/prompts/version-number.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { escapePointer } from '../../platform/http/body/json-scan.ts'
import { type InputError, Problem } from '../../platform/http/problems.ts'
import { findProducts, productKey } from '../products/product.sql.ts'
import type { Prompt } from '../prompts/prompt.schema.ts'
import { requirePrompt } from '../prompts/prompt.sql.ts'
import type { PromptVersionDetail } from '../prompts/prompt-version.schema.ts'
import { findPromptVersion } from '../prompts/prompt-version.sql.ts'
import { flattenVariables } from './given-variables.ts'
import { productVariables } from './product-variables.ts'
import type { RenderedPrompt, RenderRequest } from './prompt-render.schema.ts'

type Found<Value> = { value: Value; errors?: never } | { value?: never; errors: InputError[] }

/** Renders a version of the prompt. Reports all errors in the request together, then all missing variables together. */
export async function renderPrompt(
  database: Queryable,
  project: { id: number; currency: string },
  promptId: number,
  request: RenderRequest,
): Promise<RenderedPrompt> {
  const prompt = await requirePrompt(database, project.id, promptId)
  const version = await chooseVersion(database, prompt, request)
  const given = flattenVariables(request.variables)
  const product = await valuesOfProduct(database, project, request.product_id)
  rejectErrors([...(version.errors ?? []), ...given.errors, ...(product.errors ?? [])])
  const { prompt_text, version_number, variables: used } = version.value as PromptVersionDetail
  // Later entries win: given variables take precedence over the product.
  const values = new Map([...(product.value ?? []), ...given.values])
  rejectErrors(
    used.filter((name) => !values.has(name)).map((name) => missingVariable(name, request.product_id)),
  )
  if (renderedLength(prompt_text, values) > promptLimits.renderedCharacters) rejectErrors([tooLong])
  const unused = [...new Set(given.values.keys()).difference(new Set(used))]
  return { version_number, rendered_text: renderTemplate(prompt_text, values), variables: { used, unused } }
}

/** The version that a request names, or the latest. */
export async function chooseVersion(
  database: Queryable,
  { id, project, labels, latest_version }: Prompt,
  { label, version_number }: Pick<RenderRequest, 'label' | 'version_number'>,
): Promise<Found<PromptVersionDetail>> {
  if (label !== undefined && version_number !== undefined)
    return failure('/label', 'contradiction', 'cannot be combined with version_number; send one of them')
  if (label !== undefined && !Object.hasOwn(labels, label))
    return failure('/label', 'unknown_label', `there is no label ${label} on this prompt`)
  const text = version_number ?? (label === undefined ? latest_version : (labels[label] as string))
  const version = await findPromptVersion(database, project, id, parseVersion(text) as VersionNumber)
  if (version !== undefined) return { value: version }
  return failure('/version_number', 'unknown_version', `there is no version ${text} of this prompt`)
}

async function valuesOfProduct(
  database: Queryable,
  project: { id: number; currency: string },
  id: number | undefined,
): Promise<Found<Map<string, string>>> {
  if (id === undefined) return { value: new Map() }
  const key = { projectId: project.id, id }
  const product = (await findProducts(database, [key])).get(productKey(key))
  if (product !== undefined) return { value: productVariables(product, project.currency) }
  return failure('/product_id', 'unknown_product', `there is no product ${id} in this project`)
}

function missingVariable(name: string, productId: number | undefined): InputError {
  const reason = productId === undefined ? 'not given' : `neither given nor a field of product ${productId}`
  return {
    pointer: `/variables/${escapePointer(name)}`,
    code: 'missing_variable',
    message: `the text uses {{${name}}}, which is ${reason}`,
  }
}

const tooLong: InputError = {
  pointer: '/variables',
  code: 'too_long',
  message: `the rendered text would have more than ${promptLimits.renderedCharacters} characters; send shorter values`,
}

function failure(pointer: string, code: string, message: string): { errors: InputError[] } {
  return { errors: [{ pointer, code, message }] }
}

function rejectErrors(errors: InputError[]): void {
  if (errors.length > 0) throw new Problem('invalid_body', { errors })
}
