import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version } from '../../src/platform/version.ts'
import { temporaryFolder } from '../setup/temporary-folder.ts'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The last commit of the previous release. Undefined if the history does not include it. */
export function previousReleaseCommit(): string | undefined {
  try {
    const change = git(['log', '-1', '--format=%H', `-S"version": "${version}"`, '--', 'package.json'])
    return git(['rev-parse', '--verify', '--quiet', `${change}^`])
  } catch {
    return undefined
  }
}

function git(args: string[]): string {
  return execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
}

/** A checkout of the commit, with the packages of this checkout. */
export function unpack(commit: string): string {
  const folder = temporaryFolder()
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1024 ** 3 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  return complete(folder)
}

/** This release with one more migration, like the next release. */
export function nextRelease(migration: string): string {
  const folder = temporaryFolder()
  for (const part of ['bin', 'src', 'migrations'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(root, file), join(folder, file))
  const description = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...description, version: '999.0.0' }))
  writeFileSync(join(folder, 'migrations', '9999_next.sql'), `-- oldest release: ${version}\n${migration}\n`)
  return complete(folder)
}

/** A file in place of the build folder makes the program run from its sources, without a slow build. */
function complete(folder: string): string {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'build'), '')
  return folder
}

export function versionOf(commit: string): string {
  return (JSON.parse(git(['show', `${commit}:package.json`])) as { version: string }).version
}
