import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { providerLimits } from '../src/catalog/limits.ts'
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

These are the limits that API clients need most. [Limits](../limits.md) lists all limits.

## Rate limits

The plan of a project sets its rate limit; the operator can set another one. \`GET /project\` returns
the limit of your project. Requests above the limit return 429 with \`Retry-After\`.

| Plan | API access | Requests per second | Burst |
|---|---|---|---|
${planRows().join('\n')}

## Requests and responses

${tableOf([
  ['Request body, after decompression', requestLimits, 'bodyBytes'],
  ['Request body that contains the text of a prompt', promptLimits, 'bodyBytes'],
  ['Request body of a push or proposal', requestLimits, 'pushBytes'],
  ['Lines in a push or proposal', requestLimits, 'pushLines'],
  ['Minimum upload rate of a push or proposal, per second', requestLimits, 'pushPaceBytes'],
  ['Time for any other request to arrive completely', timeLimits, 'requestMilliseconds'],
  ['Values of one query parameter', requestLimits, 'parameterValues'],
  ['Search text', requestLimits, 'searchCharacters'],
  ['Validity of an `Idempotency-Key`', requestLimits, 'idempotencyHours'],
  ['Default number of items per page', responseLimits, 'pageItemsByDefault'],
  ['Maximum number of items per page', responseLimits, 'pageItems'],
  ['Maximum size of a page', responseLimits, 'pageBytes'],
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
  ['Values per attribute', productLimits, 'attributeValues'],
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
  ['Time until an open proposal expires', proposalLimits, 'openDays'],
  ['Products in one proposal from a filter', proposalLimits, 'filteredProducts'],
  ['Webhooks', subscriptionLimits, 'webhooks'],
  ['AI providers', providerLimits, 'providers'],
  ['Models per AI provider', providerLimits, 'models'],
])}

## Events and webhooks

${tableOf([
  ['Default number of events per page', eventLimits, 'pageEventsByDefault'],
  ['Maximum number of events per page', eventLimits, 'pageEvents'],
  ['Maximum time that a poll waits for an event', eventLimits, 'waitSeconds'],
  ['Waiting polls and streams, per project and worker thread', memoryLimits, 'eventReadersOfProject'],
  ['Time for your webhook endpoint to respond', webhookLimits, 'exchangeMilliseconds'],
  ['Size above which a webhook sends an event without `before` and `after`', webhookLimits, 'bodyBytes'],
])}

<!-- Generated from the limits in the code by \`npm run generate\`. -->
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
