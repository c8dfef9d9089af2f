import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { writeLimits } from '../src/catalog/limits.ts'
import { ProductQuerySchema } from '../src/catalog/products/product-list.schema.ts'
import { scoringKind } from '../src/catalog/rulesets/scoring-job.ts'
import { eventLimits, subscriptionLimits, webhookLimits } from '../src/delivery/limits.ts'
import { attributeLimits } from '../src/model/limits/attributes.ts'
import { categoryLimits } from '../src/model/limits/categories.ts'
import { productLimits, structureLimits } from '../src/model/limits/products.ts'
import { proposalLimits } from '../src/model/limits/proposals.ts'
import { sql } from '../src/platform/database/sql.ts'
import { problems } from '../src/platform/http/problem-catalog.ts'
import { memoryLimits } from '../src/platform/limits/memory.ts'
import { requestLimits } from '../src/platform/limits/requests.ts'
import { responseLimits } from '../src/platform/limits/responses.ts'
import { kibibyte, mebibyte } from '../src/platform/units.ts'
import {
  type Commands,
  type Example,
  readBlocks,
  readCommands,
  readDocument,
  readExamples,
  readGuidePages,
} from './documents.ts'
import { inFolder } from './faults/check-writes.ts'
import { serve } from './processes/catalog-process.ts'
import { commandRunner } from './processes/command-runner.ts'
import { openTerminal, type Terminal } from './processes/terminal.ts'
import { checkAgainstOpenApi } from './requests/openapi-check.ts'
import { startSampleModel } from './sample-model/sample-model.ts'
import { dataParent, temporaryFolder } from './setup/temporary-folder.ts'

// In reading order, on one service.
const guide = ['docs/api.md', ...readGuidePages()]
const operatorPages = ['install', 'configure', 'administer', 'back-up', 'upgrade', 'monitor', 'troubleshoot']
const documents: [string, ...string[]] = [
  'README.md',
  ...guide,
  ...operatorPages.map((page) => `docs/${page}.md`),
]

/** Blocks that consist only of such lines are not run. */
const notPasted = [
  {
    lines: /^npm ci && npm (start|test|run build)$/,
    why: 'installs packages, builds or starts the service, or runs these tests',
  },
  { lines: /^npm run sample-model$/, why: 'does not end; this test starts the model' },
  {
    lines: /\bcatalog serve\b/,
    why: 'starts a service, with the ports, certificates and databases of the reader',
  },
  { lines: /^npx @redocly\/cli /, why: 'installs a package; generated-client.test.ts runs it' },
  { lines: /\bsecret\b/, why: 'gives a stopped PostgreSQL server another secret' },
  { lines: /\b(docker|secrets)\b/, why: 'builds and starts containers; test/image/run.ts does' },
  { lines: /\b(systemctl|systemd-run)\b|assemble\.sh/, why: 'installs the service on this machine' },
]
const isPasted = (block: string) =>
  !notPasted.some(({ lines }) => block.split('\n').every((line) => lines.test(line)))

test('every command and example in the docs works when pasted in order after a fresh start, and so does the printed curl command', {
  timeout: 480_000,
}, async () => {
  const folder = temporaryFolder(dataParent())
  const data = join(folder, 'data')
  const model = await startSampleModel()
  onTestFinished(model.close)
  const { url, banner } = await serve(['--demo', '--data', data, '--ai-allow', model.origin])
  const terminal = openTerminal(folder, { CATALOG_DATA: data, PORT: new URL(url).port })
  expect(banner.at(-1)).toBe(`listening on ${url}`)
  const printed = await terminal.paste(banner.find((line) => line.includes('curl -H')) ?? '')
  expect(JSON.parse(printed).results).toHaveLength(3)
  const runAll = async (document: string) => {
    for (const block of readBlocks(document, url, model.origin)) {
      if (block.kind === 'sh') await paste(terminal, block.commands)
      else {
        const token = (await terminal.paste('echo $TOKEN')).trim()
        for (const example of block.examples) await send({ url, token, data }, example)
      }
    }
  }
  const [first, ...others] = documents
  await runAll(first)
  await terminal.shareProcess()
  for (const document of others) await runAll(document)
})

async function paste(terminal: Terminal, { text, shown }: Commands): Promise<void> {
  if (!isPasted(text)) return
  const printed = await terminal.paste(text)
  if (shown === undefined) return
  const expected = JSON.parse(shown, (key, value) => (key.endsWith('_at') ? expect.any(String) : value))
  expect.soft(JSON.parse(printed), text).toEqual(expected)
}

/** Lets the service check products at once. It waits until no request uses the former views, and here none does. */
function endWaitForRequests(data: string): Promise<unknown> {
  return inFolder(data, async (database) => {
    await database.query(sql`
      update scoring_jobs set changed_at = clock_timestamp() - interval '1 minute', due_at = clock_timestamp()`)
    await database.query(sql`update jobs set due_at = clock_timestamp() where kind = ${scoringKind}`)
  })
}

type Served = { url: string; token: string; data: string }

async function send({ url, token, data }: Served, example: Example): Promise<void> {
  const { title, method, path, headers, body, status, response: expected } = example
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const read = async () => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...type, ...headers },
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
  }
  let got = await read()
  // The service checks the products against the views that an earlier example defined.
  while (got.body.code === 'view_marking' && status === 200) {
    await endWaitForRequests(data)
    await sleep(500)
    got = await read()
  }
  await checkAgainstOpenApi(url, method, path, got)
  expect.soft([got.status, got.body], title).toMatchObject([status, expected])
  if (method === 'GET' && status === 200) expect.soft(got.headers.get('etag'), title).not.toBeNull()
}

test('every script and flag in the docs exists', async () => {
  const lines = documents.flatMap(readCommands).flatMap((block) => block.split('\n'))
  const { stdout: help } = await commandRunner().catalog(['serve', '--help'])
  const flags =
    lines
      .filter((line) => line.includes('catalog serve'))
      .join(' ')
      .match(/--[a-z-]+/g) ?? []
  const scripts = lines.join('\n').match(/(?<=npm (?:run )?)(?!run\b)[\w-]+/g) ?? []
  const { scripts: known } = JSON.parse(readDocument('package.json'))
  expect(flags.filter((flag) => !help.includes(`${flag} `))).toEqual([])
  expect(scripts.filter((script) => !['ci', 'install'].includes(script) && !(script in known))).toEqual([])
  expect([flags.length, scripts.length].every(Boolean)).toBe(true)
})

test('no command has a trailing comment, which some shells take for arguments', () => {
  expect(documents.flatMap(readCommands).filter((block) => /(^|\s)#/m.test(block))).toEqual([])
})

test('the guide has an example for every parameter of the product list', () => {
  const used = guide
    .flatMap(readExamples)
    .map(({ path }) => path.replaceAll('%5B', '['))
    .join('\n')
  const parameters = Object.entries(ProductQuerySchema.properties).flatMap(([parameter, schema]) => [
    parameter,
    ...((schema as { 'x-aliases'?: string[] })['x-aliases'] ?? []),
  ])
  const endings = ['__in', '__icontains', '__isnull', '__gte', '__lte'].map(
    (ending) => new RegExp(`attributes\\w+${ending}=`),
  )
  expect(parameters.filter((parameter) => !new RegExp(`[?&]${parameter}(__|\\[|=)`).test(used))).toEqual([])
  expect(endings.filter((ending) => !ending.test(used))).toEqual([])
})

test('the index of the guide links to every page', () => {
  const pages = readdirSync(new URL('../docs/guide/', import.meta.url))
  expect(readGuidePages().toSorted()).toEqual(pages.map((page) => `docs/guide/${page}`).toSorted())
})

test('the error reference lists every error, and the guide names only errors that exist', () => {
  const reference = readDocument('docs/errors.md')
  const codes = guide
    .flatMap(readExamples)
    .filter(({ status }) => status >= 400)
    .map(({ response }) => (response as { code?: string }).code)
    .filter((code) => code !== undefined)
  expect(Object.keys(problems).filter((code) => !reference.includes(`\`${code}\``))).toEqual([])
  expect(codes.filter((code) => !(code in problems))).toEqual([])
})

test('the numbers in the guide match the limits', () => {
  const text = guide.map(readDocument).join('\n').replace(/\s+/g, ' ')
  const count = (value: number) => value.toLocaleString('en')
  const mebibytes = (bytes: number) => `${bytes / mebibyte} MiB`
  const { pageItems, pageItemsByDefault, pageBytes } = responseLimits
  const { pushLines, pushBytes, idempotencyHours } = requestLimits
  const { pageEvents, pageEventsByDefault, waitSeconds } = eventLimits
  const [firstPause = 0] = webhookLimits.pauseMilliseconds
  const sentences = [
    `\`page_size\` is ${pageItemsByDefault} by default and ${pageItems} at most`,
    `A page is at most ${mebibytes(pageBytes)}`,
    `writes up to ${count(pushLines)} products (${mebibytes(pushBytes)}) in one request`,
    `Within ${idempotencyHours} hours, the same key`,
    `take at most ${mebibytes(productLimits.textBytes)} together`,
    `${structureLimits.axes} axes and ${count(structureLimits.variants)} variants`,
    `up to ${structureLimits.components} simple or virtual products`,
    `transactions of up to ${count(writeLimits.batchLines)} lines`,
    `waits ${memoryLimits.pushWaitSeconds} seconds for memory`,
    `A project can have ${count(proposalLimits.open)} open proposals`,
    `They expire after ${proposalLimits.openDays} days`,
    `up to ${count(proposalLimits.filteredProducts)} products`,
    `a tree of up to ${categoryLimits.levels} levels`,
    `up to ${attributeLimits.definitions}, ${attributeLimits.definitionsBytes / kibibyte} KiB`,
    `1 to ${count(pageEvents)} (${pageEventsByDefault} by default)`,
    `waits up to ${waitSeconds} seconds for an event`,
    `${memoryLimits.eventReadersOfProject} waiting polls and streams`,
    `have ${subscriptionLimits.webhooks} webhooks`,
    `2xx within ${webhookLimits.exchangeMilliseconds / 1_000} seconds`,
    `up to ${webhookLimits.pauseMilliseconds.length + 1} attempts in total, with pauses from ${firstPause / 1_000} seconds`,
    `up to ${webhookLimits.rejectedAttempts} attempts in total`,
  ]
  expect(sentences.filter((sentence) => !text.includes(sentence))).toEqual([])
})
