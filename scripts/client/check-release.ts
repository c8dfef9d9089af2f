import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readTarball } from '../../src/delivery/client/read-tarball.ts'
import { version } from '../../src/platform/version.ts'
import { clientFiles } from '../build/client.ts'
import { root } from '../tree.ts'

/**
 * The files of this version's released package that differ from what client/ builds. It compares files, because the same files can
 * be compressed differently.
 */
export async function checkRelease(): Promise<string[]> {
  const stored = join(root, 'client/releases', `catalog-client-${version}.tgz`)
  if (!existsSync(stored)) return []
  const folder = mkdtempSync(join(tmpdir(), 'client-release-'))
  try {
    const [released, built] = [readTarball(readFileSync(stored)), await clientFiles(folder)]
    const names = new Set([...released.keys(), ...built.keys()])
    return [...names].filter((name) => released.get(name)?.toString() !== built.get(name))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
