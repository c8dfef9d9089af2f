import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Plugin } from 'rolldown'
import { filesOf, root } from '../tree.ts'

/** The inputs of a build: project files, and packages as "name version". */
export type Inputs = { files: string[]; packages: string[] }

/** Settings and code of the build itself, which no module imports. */
const settings = [
  'package-lock.json',
  'tsconfig.json',
  'console/tsconfig.json',
  'console/vite.config.ts',
  ...filesOf('scripts/build'),
]
const packageFolder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/

export type InputsPlugin = Plugin & {
  /** Records a file that no module imports. */
  add(name: string): void
  inputs(): Inputs
}

/** Records every module that the bundler reads, so that no list of them is kept by hand. */
export function inputsPlugin(): InputsPlugin {
  const ids = new Set<string>()
  return {
    name: 'inputs',
    generateBundle() {
      for (const id of this.getModuleIds()) ids.add(id.replace(/\?.*$/, ''))
    },
    add(name) {
      ids.add(join(root, name))
    },
    inputs() {
      const paths = [...ids].filter((id) => id.startsWith(root) && existsSync(id))
      const own = paths.filter((path) => !path.includes('/node_modules/'))
      const folders = new Set(paths.flatMap((path) => packageFolder.exec(path)?.[0] ?? []))
      return {
        files: [...new Set([...own.map((path) => relative(root, path)), ...settings])].sort(),
        packages: [...new Set([...folders].map(nameAndVersion))].sort(),
      }
    },
  }
}

function nameAndVersion(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return `${name} ${version}`
}

/** Changes whenever one of the files does. Undefined if one is missing. */
export function stampOf({ files }: Inputs): string | undefined {
  const hash = createHash('sha256')
  for (const name of files) {
    const path = join(root, name)
    if (!existsSync(path)) return undefined
    hash.update(`${name}\0`).update(readFileSync(path)).update('\0')
  }
  return hash.digest('hex').slice(0, 16)
}

export function haveChangedSince(time: Date, { files }: Inputs): boolean {
  return files.some((name) => statSync(join(root, name)).ctime > time)
}
