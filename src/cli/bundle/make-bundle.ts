import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { namesIn } from '../../console-api/build-stamp.ts'
import { sourcePlaces } from './source-places.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const bundles = join(root, 'build', 'program')
const current = join(bundles, 'current')

/**
 * Makes the bundle of the program unless there is one of these sources, and says whether there is one now. The program runs from
 * its sources too, so a failure is a word to the operator and no more; where nothing may be written, not even that.
 */
export async function ensureBundled(tell: (line: string) => void): Promise<boolean> {
  const began = new Date()
  try {
    mkdirSync(bundles, { recursive: true })
    const stamp = sourceStamp()
    const folder = join(bundles, stamp)
    if (!existsSync(folder)) {
      tell('bundling the program')
      await makeBundle(folder)
    }
    // bin/catalog compares the sources with this time, so it is the time before they were read.
    utimesSync(join(folder, 'main.mjs'), began, began)
    makeCurrent(stamp)
    return true
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (!['EACCES', 'EPERM', 'EROFS'].includes(code ?? ''))
      tell(`warning: the program cannot be bundled, so it starts from its sources, more slowly: ${message}`)
    return false
  }
}

/** What a bundle is made of: the program, and the packages that are installed. */
function sourceStamp(): string {
  const sources = namesIn(join(root, 'src')).filter((name) => !name.endsWith('.test.ts'))
  const packages = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json']
  const hash = createHash('sha256')
  for (const name of [...sources.sort().map((name) => join('src', name)), ...packages])
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(root, name)))
      .update('\0')
  return hash.digest('hex').slice(0, 16)
}

/** Files appear under their final name all at once, because another process may start from them in the same moment. */
async function makeBundle(folder: string): Promise<void> {
  const { rolldown } = await import('rolldown')
  const fresh = `${folder}-${process.pid}`
  const bundle = await rolldown({
    cwd: root,
    input: { main: 'src/cli/main.ts', worker: 'src/cli/worker.ts' },
    platform: 'node',
    logLevel: 'silent',
    // pg asks for its other half, which nobody installed, in a try.
    external: ['pg-native'],
    plugins: [sourcePlaces(root)],
  })
  try {
    await bundle.write({
      dir: fresh,
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      sourcemap: 'hidden',
      sourcemapExcludeSources: true,
    })
    if (!existsSync(folder)) renameSync(fresh, folder)
  } finally {
    await bundle.close()
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** The bundle before stays, for services that run from it and have not loaded all of it; older ones are removed. */
function makeCurrent(stamp: string): void {
  const before = existsSync(current) ? readlinkSync(current) : undefined
  if (before === stamp) return
  const link = `${current}-${process.pid}`
  symlinkSync(stamp, link)
  renameSync(link, current)
  for (const name of readdirSync(bundles))
    if (/^[0-9a-f]{16}$/.test(name) && name !== stamp && name !== before)
      rmSync(join(bundles, name), { recursive: true, force: true })
}

if (import.meta.main) process.exitCode = (await ensureBundled((line) => console.error(line))) ? 0 : 1
