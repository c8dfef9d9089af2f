import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tarballOf } from '../../scripts/build/tarball.ts'
import { readTarball } from '../../src/delivery/client/read-tarball.ts'
import { version } from '../../src/platform/version.ts'
import { temporaryFolder } from '../setup/temporary-folder.ts'

export const tarballName = `catalog-client-${version}.tgz`

/** The bytes of the built package. */
export function builtTarball(): Buffer {
  return readFileSync(fileURLToPath(new URL(`../../build/client/current/${tarballName}`, import.meta.url)))
}

export const packageFiles = () => readTarball(builtTarball())

/** The same package with another version, as an earlier release stored it. */
export function earlierTarball(earlier: string): Buffer {
  const files = [...packageFiles()].map(([name, bytes]): [string, string] => [name, bytes.toString()])
  const renamed = files.map(([name, text]): [string, string] => [
    name,
    name === 'package.json' ? text.replace(`"version": "${version}"`, `"version": "${earlier}"`) : text,
  ])
  return tarballOf(new Map(renamed))
}

/** A project of an integrator with the package in node_modules. */
export function unpackedProject(): string {
  const folder = temporaryFolder()
  const target = join(folder, 'node_modules/catalog-client')
  mkdirSync(target, { recursive: true })
  for (const [name, bytes] of packageFiles()) writeFileSync(join(target, name), bytes)
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  return folder
}
