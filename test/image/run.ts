import { ok } from 'node:assert'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeAll } from './container.ts'
import { buildImage, engine, isInstalled, root, sizeOf, tryRun } from './engine.ts'
import { compose, testCompose } from './test-compose.ts'
import { expectNoServer, testEmbedded } from './test-embedded.ts'
import { isPostgresAvailable, postgresImage, testSlim } from './test-slim.ts'

const highestExposure = 2.0
const analyzer = 'systemd-analyze'
const skipped: string[] = []

function skip(what: string, why: string): void {
  skipped.push(`${what}: ${why}`)
}

function print(what: string, lines: string[]): void {
  console.log(`${what}\n${lines.map((line) => `  ${line}`).join('\n')}`)
}

/** Runs the work in a temporary folder. */
async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-image-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function testImages(): Promise<void> {
  if (engine === undefined) {
    skip('both images and compose.yaml', 'neither podman nor docker is running')
    return
  }
  const embedded = buildImage('embedded')
  const slim = buildImage('slim')
  try {
    print(`embedded: ${sizeOf(embedded)}`, await testEmbedded(embedded))
    expectNoServer(slim)
    if (!isPostgresAvailable())
      skip('slim with a database, and compose.yaml', `${postgresImage} is not available`)
    else {
      print(`slim: ${sizeOf(slim)}`, await inFolder((folder) => testSlim(slim, folder)))
      if (compose === undefined)
        skip('compose.yaml', 'neither podman-compose nor docker compose is installed')
      else print('compose.yaml', await inFolder((folder) => testCompose(slim, folder)))
    }
  } finally {
    removeAll()
    for (const image of [embedded, slim]) tryRun('image', 'rm', '--force', image)
  }
}

function testUnit(): void {
  if (!isInstalled(analyzer, '--version')) {
    skip('the systemd unit', `${analyzer} is not installed`)
    return
  }
  const unit = join(root, 'packaging/catalog.service')
  const args = ['security', '--offline=true', '--no-pager', unit]
  const exposure = /exposure level .*: ([\d.]+)/.exec(execFileSync(analyzer, args, { encoding: 'utf8' }))?.[1]
  ok(Number(exposure) <= highestExposure, `systemd-analyze security returned ${exposure}`)
  print('packaging/catalog.service', [
    `systemd-analyze security: ${exposure}, at most ${highestExposure} allowed`,
  ])
}

testUnit()
await testImages()
if (skipped.length > 0) print('NOT TESTED:', skipped)
