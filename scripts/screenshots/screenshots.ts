import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Flags, loadConfig } from '../../src/config.ts'
import { createDemo, type Demo } from '../../src/operations/demo/create-demo.ts'
import { pictureKind } from '../../src/operations/demo/demo-pictures.ts'
import { reachServer } from '../../src/platform/database/connections/reach-server.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { rateLimitMemory } from '../../src/platform/http/limits/rate-limit.ts'
import { type Service, startService } from '../../src/service.ts'
import { launchChromium } from '../../test/browser/chromium.ts'
import { startSampleModel } from '../../test/sample-model/sample-model.ts'
import { runBuild } from '../build/run-build.ts'
import { takeImport } from './import-pages.ts'
import { takeMarkets } from './market-pages.ts'
import { takeOperatorPages } from './operator-pages.ts'
import { takePeople } from './people-pages.ts'
import { takeProducts } from './product-pages.ts'
import { takePrompts } from './prompt-pages.ts'
import { takeProposals } from './proposal-pages.ts'
import { takeRuns } from './run-pages.ts'
import { addMembers } from './sample-members.ts'
import { takeSettings } from './settings-pages.ts'
import { takeSignIn } from './sign-in-pages.ts'
import { takeStructure } from './structure-pages.ts'
import { openStudio } from './studio.ts'
import { takeWebhooks } from './webhook-pages.ts'

/** Pictures of every page of the console and of the API reference, for the documents and for authors who change a page. */
const { values: options } = parseArgs({
  options: {
    out: { type: 'string', default: 'docs/images' },
    width: { type: 'string', multiple: true, default: ['1280'] },
    dark: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    port: { type: 'string', default: '8080' },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'catalog-screenshots-'))
chmodSync(folder, 0o755)
mkdirSync(options.out, { recursive: true })
runBuild()
const server = await reachServer({ dataDirectory: folder })
const database = openDatabase({ connection: server.connection, poolSize: 2, statementTimeoutSeconds: 0 })
await migrate(database)
const demo = (await createDemo(database)) as Demo
const model = await startSampleModel()
const service = await start(Number(options.port))
// The sign-in page does not ask the provider, which does not exist.
const company = await start(Number(options.port) + 1, {
  oidcIssuer: 'https://accounts.invalid',
  oidcClientId: 'catalog',
  oidcClientSecret: 'secret',
})
const browser = await launchChromium()
try {
  await untilPicturesAreLoaded()
  await takeAll()
} finally {
  await browser.close()
  await Promise.all([service.drain(), company.drain()])
  await database.close()
  model.close()
  await server.release()
  rmSync(folder, { recursive: true, force: true })
}

function start(port: number, flags: Flags = {}): Promise<Service> {
  return startService({
    // Any of the services can make the calls of a run.
    config: loadConfig(
      { ...flags, port, logLevel: 'silent', media: join(folder, 'media'), aiAllow: [model.origin] },
      {},
    ),
    connection: server.connection,
    rateLimits: rateLimitMemory(),
  })
}

/** The demo loads its pictures in the background. */
async function untilPicturesAreLoaded(): Promise<void> {
  const unfinished = sql`select from jobs where kind = ${pictureKind} and failed_at is null limit 1`
  while ((await database.query(unfinished)).length > 0) await sleep(500)
}

/** In this order: some pictures show what the ones before have changed. */
async function takeAll(): Promise<void> {
  const { out, only, dark: isDark } = options
  const widths = options.width.map(Number)
  const studio = openStudio({ browser, url: service.url, database, demo, out, widths, isDark, only })
  const visitor = await studio.visit()
  const member = await studio.visit(demo.sign_ins.member)
  const operator = await studio.visit(demo.sign_ins.operator)
  const members = await addMembers(studio, member)
  await studio.take(visitor, 'reference', '/docs#operation/listProducts', () =>
    visitor.getByRole('button', { name: 'Test request' }).waitFor(),
  )
  await takeProducts(studio, member)
  await takeStructure(studio, member)
  await takeProposals(studio, member)
  await takePrompts(studio, member)
  await takeRuns(studio, member, model)
  await takeImport(studio, member)
  await takeMarkets(studio, member)
  await takeWebhooks(studio, member)
  await takeSettings(studio, member)
  await takePeople(studio, member, members)
  await takeOperatorPages(studio, operator)
  await takeSignIn(studio, members, company.url)
}
