import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventLimits, subscriptionLimits, webhookLimits } from '../src/delivery/limits.ts'
import { attributeLimits } from '../src/model/limits/attributes.ts'
import { categoryLimits } from '../src/model/limits/categories.ts'
import { productLimits, structureLimits } from '../src/model/limits/products.ts'
import { promptLimits } from '../src/model/limits/prompts.ts'
import { proposalLimits } from '../src/model/limits/proposals.ts'
import { qualityLimits } from '../src/model/limits/quality.ts'
import { memoryLimits } from '../src/platform/limits/memory.ts'
import { requestLimits } from '../src/platform/limits/requests.ts'
import { responseLimits } from '../src/platform/limits/responses.ts'
import { timeLimits } from '../src/platform/limits/times.ts'
import { formatLimit } from './limits-tables.ts'
import { root } from './tree.ts'

/** The limits that clients of the API need most. */
export function apiLimitsPage(): string {
  return `# API limits

Generated from the limits in the code by \`npm run generate\`. All limits are in
[Limits](../limits.md).

## Rate limits

Each plan sets a rate per project, and the operator can set another one. \`GET /project\` returns the
limits of your project. Over the limit, requests return 429 with \`Retry-After\`.

| Plan | API access | Requests per second | Burst |
|---|---|---|---|
${planRows().join('\n')}

## Requests and responses

${tableOf([
  ['Body, after decompression', requestLimits, 'bodyBytes'],
  ['Body with the text of a prompt', promptLimits, 'bodyBytes'],
  ['Body of a push or proposal', requestLimits, 'pushBytes'],
  ['Lines of a push or proposal', requestLimits, 'pushLines'],
  ['Slowest pace of a push or proposal, per second', requestLimits, 'pushPaceBytes'],
  ['Time in which other requests must arrive', timeLimits, 'requestMilliseconds'],
  ['Values in a query parameter', requestLimits, 'parameterValues'],
  ['Search text', requestLimits, 'searchCharacters'],
  ['Time for which an `Idempotency-Key` is valid', requestLimits, 'idempotencyHours'],
  ['Items per page by default', responseLimits, 'pageItemsByDefault'],
  ['Items per page', responseLimits, 'pageItems'],
  ['Size of a page', responseLimits, 'pageBytes'],
])}

## Products

${tableOf([
  ['SKU', productLimits, 'skuCharacters'],
  ['Name', requestLimits, 'nameCharacters'],
  ['Short description', productLimits, 'shortDescriptionCharacters'],
  ['Description', productLimits, 'descriptionCharacters'],
  ['Descriptions, attributes and media together', productLimits, 'textBytes'],
  ['Categories', productLimits, 'categories'],
  ['Attributes', productLimits, 'attributes'],
  ['Values of one attribute', productLimits, 'attributeValues'],
  ['Attribute value', productLimits, 'attributeValueCharacters'],
  ['Media items', productLimits, 'media'],
  ['Variant axes', structureLimits, 'axes'],
  ['Variants', structureLimits, 'variants'],
  ['Components', structureLimits, 'components'],
  ['Links per kind', structureLimits, 'links'],
])}

## Projects

${tableOf([
  ['Levels of the category tree', categoryLimits, 'levels'],
  ['Attribute definitions', attributeLimits, 'definitions'],
  ['Quality rules', qualityLimits, 'rules'],
  ['Versions per prompt', promptLimits, 'versions'],
  ['Text of a prompt version', promptLimits, 'textCharacters'],
  ['Open proposals', proposalLimits, 'open'],
  ['Time after which an open proposal expires', proposalLimits, 'openDays'],
  ['Products that one proposal edits by filter', proposalLimits, 'filteredProducts'],
  ['Webhooks', subscriptionLimits, 'webhooks'],
])}

## Events and webhooks

${tableOf([
  ['Events per page by default', eventLimits, 'pageEventsByDefault'],
  ['Events per page', eventLimits, 'pageEvents'],
  ['Time that a poll waits for an event', eventLimits, 'waitSeconds'],
  ['Waiting polls and streams per project and worker', memoryLimits, 'eventReadersOfProject'],
  ['Time for your endpoint to respond', webhookLimits, 'exchangeMilliseconds'],
  ['Size over which a webhook omits `before` and `after`', webhookLimits, 'bodyBytes'],
])}
`
}

type Table = Readonly<Record<string, number | readonly number[]>>

function tableOf(rows: [meaning: string, limits: Table, name: string][]): string {
  const lines = rows.map(([meaning, limits, name]) => {
    const value = limits[name]
    if (typeof value !== 'number') throw new Error(`${name} is not a limit`)
    return `| ${meaning} | ${formatLimit(name, value)} |`
  })
  return `| | Limit |\n|---|---|\n${lines.join('\n')}`
}

/** Plans are rows of the database that a migration adds. */
function planRows(): string[] {
  const migration = readFileSync(join(root, 'migrations/0001_projects_and_tokens.sql'), 'utf8')
  const plans = migration.matchAll(/\('(\w+)',\s+'\w+',\s+(true|false),\s+(\d+),\s+(\d+)\)/g)
  const rows = [...plans].map(
    ([, code, access, rate, burst]) =>
      `| \`${code}\` | ${access === 'true' ? 'yes' : 'on request'} | ${Number(rate).toLocaleString('en')} | ${Number(burst).toLocaleString('en')} |`,
  )
  if (rows.length === 0) throw new Error('the migration has no plans')
  return rows
}
