import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

export const sourceFolder = join(root, 'console')
export const builtFolder = join(root, 'build', 'console')
const stampName = '.stamp'

/** All of the service that the pages have in them: how files of products are read, and rules of prompts. They take nothing else from it but types. */
const sharedFolder = 'src/model/files'
const sharedFiles = [
  'src/platform/http/request/json-scan.ts',
  'src/model/prompts/prompt-template.ts',
  'src/model/prompts/version-number.ts',
]

/** What the pages are built from: their sources, the versions of all packages, and how they are built. */
export function sourceStamp(): string {
  const sources = ['console', sharedFolder].flatMap((folder) =>
    namesIn(join(root, folder)).map((name) => join(folder, name)),
  )
  const hash = createHash('sha256')
  for (const name of [...sources.sort(), ...sharedFiles, 'package-lock.json', 'src/console-api/build.ts'])
    hash
      .update(name)
      .update('\0')
      .update(readFileSync(join(root, name)))
      .update('\0')
  return hash.digest('hex')
}

/** Files under a folder, by their paths in it. (globSync alone takes 20 milliseconds to load.) */
export function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

export function readStamp(folder = builtFolder): string | undefined {
  try {
    return readFileSync(join(folder, stampName), 'utf8')
  } catch {
    return undefined
  }
}

export function stampPath(folder: string): string {
  return join(folder, stampName)
}
