import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { root } from '../tree.ts'
import { haveChangedSince, type Inputs, type InputsPlugin, inputsPlugin, stampOf } from './inputs.ts'

export type Builder = (folder: string, inputs: InputsPlugin) => Promise<void>

const inputsName = 'inputs.json'
const folderOf = (part: string) => join(root, 'build', part)

/** Whether the current build of a part was made of the sources as they are. */
export function isCurrent(part: string): boolean {
  const current = join(folderOf(part), 'current')
  const list = join(current, inputsName)
  if (!existsSync(list)) return false
  return readlinkSync(current) === stampOf(JSON.parse(readFileSync(list, 'utf8')))
}

/**
 * Builds into a folder that is named after what it was made of and never changes again. It appears by one rename, because another
 * process may start from it at the same time.
 */
export async function makeCurrent(part: string, build: Builder): Promise<void> {
  mkdirSync(folderOf(part), { recursive: true })
  const fresh = join(folderOf(part), `fresh-${process.pid}`)
  try {
    const inputs = await buildUnchanged(fresh, build)
    writeFileSync(join(fresh, inputsName), JSON.stringify(inputs))
    const stamp = stampOf(inputs) as string
    if (!existsSync(join(folderOf(part), stamp))) renameSync(fresh, join(folderOf(part), stamp))
    linkCurrent(part, stamp)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** A file that is saved during a build may be in it or not: the build starts again. */
async function buildUnchanged(folder: string, build: Builder): Promise<Inputs> {
  const began = new Date()
  const plugin = inputsPlugin()
  await build(folder, plugin)
  const inputs = plugin.inputs()
  if (!haveChangedSince(began, inputs)) return inputs
  rmSync(folder, { recursive: true, force: true })
  return buildUnchanged(folder, build)
}

/** The build before stays for services that run from it and have not loaded all of it; everything older is removed. */
function linkCurrent(part: string, stamp: string): void {
  const current = join(folderOf(part), 'current')
  const before = existsSync(current) ? readlinkSync(current) : undefined
  const link = `${current}-${process.pid}`
  symlinkSync(stamp, link)
  renameSync(link, current)
  const kept = [stamp, before, 'current']
  for (const name of readdirSync(folderOf(part)))
    if (!kept.includes(name) && !/^(fresh|current)-\d+$/.test(name))
      rmSync(join(folderOf(part), name), { recursive: true, force: true })
}
