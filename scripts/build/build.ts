import { readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../tree.ts'
import { type Builder, isCurrent, makeCurrent } from './build-folder.ts'

/*
 * Builds the parts that are missing or stale. `npm start` runs this first:
 *   npm run build                 # all
 *   npm run build -- console
 */

/** bin/catalog compares the sources with the time of the mark, a file of the build. */
type Part = { seconds: number; mark: string; load: () => Promise<Builder> }

/** The bundlers are loaded only when there is something to build. */
const parts: Record<string, Part> = {
  console: {
    seconds: 8,
    mark: 'inputs.json',
    load: async () => (await import('./console.ts')).buildConsole,
  },
  program: {
    seconds: 2,
    mark: 'main.mjs',
    load: async () => (await import('./program.ts')).buildProgram,
  },
  client: {
    seconds: 1,
    mark: 'inputs.json',
    load: async () => (await import('./client.ts')).buildClient,
  },
}

/** Without it, Vite builds React for development. */
process.env['NODE_ENV'] = 'production'

const began = new Date()
const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts)
const unknown = chosen.filter((name) => parts[name] === undefined)
if (unknown.length > 0) fail(`unknown part ${unknown.join(', ')}; parts are ${Object.keys(parts).join(', ')}`)
else
  await buildStale(chosen.filter((name) => !isCurrent(name))).then(markRead, (error) => fail(reasonOf(error)))

async function buildStale(stale: string[]): Promise<void> {
  if (stale.length === 0) return
  const seconds = stale.reduce((sum, name) => sum + (parts[name] as Part).seconds, 0)
  console.error(
    `Building the ${stale.join(' and the ')} (about ${seconds} s, and again only when the sources change)`,
  )
  refuseOtherPackages()
  for (const name of stale) await makeCurrent(name, await (parts[name] as Part).load())
  console.error(`Built in ${((Date.now() - began.getTime()) / 1000).toFixed(1)} s`)
}

/** The stamp of a build includes the lock file, so the build must use the packages that the file lists. */
function refuseOtherPackages(): void {
  const [locked, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map(
    (name): Record<string, { version?: string }> =>
      JSON.parse(readFileSync(join(root, name), 'utf8')).packages,
  ) as [Record<string, { version?: string }>, Record<string, { version?: string }>]
  for (const [folder, { version }] of Object.entries(installed))
    if (locked[folder] !== undefined && locked[folder].version !== version)
      throw new Error(`${folder} does not have the version in package-lock.json; run "npm ci" first`)
}

/** The time before the sources were read: whatever changed since is newer. */
function markRead(): void {
  for (const name of chosen)
    try {
      utimesSync(join(root, 'build', name, 'current', (parts[name] as Part).mark), began, began)
    } catch (error) {
      // In a read-only folder, the program runs from source if the sources are newer.
      if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') return error.message
  return `the build tools are not installed. npm omits development packages with --omit=dev or NODE_ENV=production.
Run "npm ci --include=dev", or copy the folder build/ from a machine that built this version and run "npm run build", which compares it with the sources.
"bin/catalog serve" starts without a build: it runs from source, and serves the console only if it was built before.`
}

function fail(reason: string): void {
  console.error(`cannot build: ${reason}`)
  process.exitCode = 1
}
