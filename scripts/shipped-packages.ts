import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compare, filesOf, root } from './tree.ts'

type Names = Record<string, unknown>
type Locked = {
  version: string
  license?: string
  dev?: boolean
  os?: string | string[]
  cpu?: string | string[]
  libc?: string | string[]
  dependencies?: Names
  peerDependencies?: Names
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}
type Lock = Record<string, Locked>
export type Package = {
  name: string
  version: string
  license: string
  folder: string
  isOfPlatform: boolean
}

const bareImport = /(?:from|import|import\()\s*['"]((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^'"]*)?['"]/g
/** Both add a few lines to a build. */
const bundlers = ['vite', 'rolldown']

/**
 * All packages that operators receive: production packages, and those of the console. The latter are development packages, because
 * only the build needs them.
 */
export function shippedPackages(): Package[] {
  const lock: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const production = Object.keys(lock).filter(
    (folder) => folder !== '' && lock[folder]?.dev !== true && isForSupportedPlatform(lock, folder),
  )
  const shipped = new Set([...production, ...bundlers.map((name) => `node_modules/${name}`)])
  for (const name of namesInConsole()) addWithDependencies(lock, `node_modules/${name}`, shipped)
  const packages = [...shipped].map((folder) => describe(folder, lock[folder] as Locked))
  const once = new Map(packages.map((one) => [`${one.name} ${one.version}`, one]))
  return [...once.values()].sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version))
}

/** sharp lists packages for platforms without the pinned Node: Windows, other processors, WebAssembly and musl. */
function isForSupportedPlatform(lock: Lock, folder: string): boolean {
  const { os, cpu, libc } = lock[folder] as Locked
  const hasOne = (supported: string[], required: string | string[] = supported) =>
    [required].flat().some((one) => supported.includes(one))
  return (
    hasOne(['darwin', 'linux'], os) &&
    hasOne(['arm64', 'x64'], cpu) &&
    hasOne(['glibc'], libc) &&
    !folder.includes('wasm32')
  )
}

function namesInConsole(): Set<string> {
  const files = filesOf('console').filter(
    (file) => /\.(tsx?|css)$/.test(file) && !file.endsWith('vite.config.ts'),
  )
  const imports = files.flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(bareImport)])
  return new Set(imports.map(([, name]) => name as string))
}

function addWithDependencies(lock: Lock, folder: string, added: Set<string>): void {
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = lock[folder] as Locked
  added.add(folder)
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
  for (const name of [...Object.keys(dependencies), ...peers]) {
    const needed = resolve(lock, folder, name)
    if (!added.has(needed)) addWithDependencies(lock, needed, added)
  }
}

/** The nearest folder with the package, resolved like Node does. */
function resolve(lock: Lock, from: string, name: string): string {
  const nested = `${from}/node_modules/${name}`
  if (lock[nested] !== undefined) return nested
  const outside = from.lastIndexOf('/node_modules/')
  return outside === -1 ? `node_modules/${name}` : resolve(lock, from.slice(0, outside), name)
}

function describe(folder: string, { version, license = 'unknown', os, cpu }: Locked): Package {
  const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return { name, version, license, folder, isOfPlatform: os !== undefined || cpu !== undefined }
}
