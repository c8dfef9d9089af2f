import { ok } from 'node:assert'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeAll } from './container.ts'
import { buildImage, engine, isInstalled, root, sizeOf, tryRun } from './engine.ts'
import { compose, tryCompose } from './try-compose.ts'
import { expectNoServer, tryEmbedded } from './try-embedded.ts'
import { isPostgresThere, postgresImage, trySlim } from './try-slim.ts'

const highestExposure = 2.0
const analyzer = 'systemd-analyze'
const skipped: string[] = []

function skip(what: string, why: string): void {
  skipped.push(`${what}: ${why}`)
}

function tell(what: string, lines: string[]): void {
  console.log(`${what}\n${lines.map((line) => `  ${line}`).join('\n')}`)
}

/** A folder whose files the users of containers may read. */
async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-image-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function tryImages(): Promise<void> {
  if (engine === undefined) {
    skip('both images and compose.yaml', 'neither podman nor docker runs here')
    return
  }
  const embedded = buildImage('embedded')
  const slim = buildImage('slim')
  try {
    tell(`embedded: ${sizeOf(embedded)}`, await tryEmbedded(embedded))
    expectNoServer(slim)
    if (!isPostgresThere()) skip('slim with a database, and compose.yaml', `${postgresImage} is not there`)
    else {
      tell(`slim: ${sizeOf(slim)}`, await inFolder((folder) => trySlim(slim, folder)))
      if (compose === undefined)
        skip('compose.yaml', 'neither podman-compose nor docker compose is installed')
      else tell('compose.yaml', await inFolder((folder) => tryCompose(slim, folder)))
    }
  } finally {
    removeAll()
    for (const image of [embedded, slim]) tryRun('image', 'rm', '--force', image)
  }
}

function tryUnit(): void {
  if (!isInstalled(analyzer, '--version')) {
    skip('the systemd unit', `there is no ${analyzer}`)
    return
  }
  const unit = join(root, 'packaging/catalog.service')
  const args = ['security', '--offline=true', '--no-pager', unit]
  const exposure = /exposure level .*: ([\d.]+)/.exec(execFileSync(analyzer, args, { encoding: 'utf8' }))?.[1]
  ok(Number(exposure) <= highestExposure, `systemd-analyze security says ${exposure}`)
  tell('packaging/catalog.service', [
    `systemd-analyze security: ${exposure}, at most ${highestExposure} allowed`,
  ])
}

tryUnit()
await tryImages()
if (skipped.length > 0) tell('NOT TRIED HERE:', skipped)
