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

/** Whether the current build of a part matches the sources. */
export function isCurrent(part: string): boolean {
  const current = join(folderOf(part), 'current')
  const list = join(current, inputsName)
  if (!existsSync(list)) return false
  return readlinkSync(current) === stampOf(JSON.parse(readFileSync(list, 'utf8')))
}

/**
 * Builds into a folder that is named after the contents of its inputs and never changes. It appears by one rename, because another
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

/** A build may or may not include a file that was saved meanwhile, so it starts again. */
async function buildUnchanged(folder: string, build: Builder): Promise<Inputs> {
  const began = new Date()
  const plugin = inputsPlugin()
  await build(folder, plugin)
  const inputs = plugin.inputs()
  if (!haveChangedSince(began, inputs)) return inputs
  rmSync(folder, { recursive: true, force: true })
  return buildUnchanged(folder, build)
}

/** Keeps the previous build for services that run from it and have not loaded all of it. Removes older ones. */
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
