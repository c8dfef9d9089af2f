import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compressStatic, type StaticBytes, staticBytes } from '../../platform/http/response/static-bytes.ts'
import { readTarball } from './read-tarball.ts'

/** Released packages, which never change, and the output of `npm run build`, which does until its release. */
const releasesFolder = fileURLToPath(new URL('../../../client/releases/', import.meta.url))
const builtFolder = fileURLToPath(new URL('../../../build/client/current/', import.meta.url))

const mediaTypes: Record<string, string> = {
  '.tgz': 'application/gzip',
  '.js': 'text/javascript; charset=utf-8',
  '.ts': 'application/typescript; charset=utf-8',
}

type ClientFile = { bytes: () => Promise<StaticBytes>; isReleased: boolean }

/** The files below /client/, by path. Only files that existed at the start can be requested. */
export function clientPackages(releases = releasesFolder, built = builtFolder): Map<string, ClientFile> {
  const files = new Map<string, ClientFile>()
  for (const [folder, isReleased] of [
    [built, false],
    [releases, true],
  ] as const)
    for (const name of tarballsIn(folder)) {
      const packed = readFileSync(join(folder, name))
      const version = name.slice('catalog-client-'.length, -'.tgz'.length)
      files.set(name, { isReleased, bytes: once(async () => staticBytes(typeOf(name), packed)) })
      for (const module of ['index.js', 'index.d.ts']) {
        const bytes = once(() => compressStatic(typeOf(module), readTarball(packed).get(module) as Buffer))
        files.set(`${version}/${module}`, { isReleased, bytes })
      }
    }
  return files
}

function tarballsIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.tgz')) : []
}

const typeOf = (name: string) => mediaTypes[extname(name)] as string

/** Unpacks and compresses at the first request, because most services never serve most releases. */
function once<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let created: Promise<Value> | undefined
  return () => {
    created ??= create()
    return created
  }
}
