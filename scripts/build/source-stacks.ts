import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

const placeInBundle = /(file:\S+\.mjs):(\d+):(\d+)/
const socketCalls = new Set(['connect', 'read', 'write'])
const maps = new Map<string, SourceMap | undefined>()

/*
 * Only bundles load this file. It maps stack traces to source files and reads source maps on first use; Node's --enable-source-maps
 * would read all of them at the start. Node reads the stack of every socket error, although no one needs it.
 */
Error.prepareStackTrace = (error, frames) => {
  const { syscall = '', code } = error as NodeJS.ErrnoException
  // Every start verifies that a forbidden webhook address is rejected.
  const inSources = !socketCalls.has(syscall) && code !== 'ERR_IP_BLOCKED'
  const lines = frames.map((frame) => (inSources ? String(frame).replace(placeInBundle, nameSource) : frame))
  return [String(error), ...lines].join('\n    at ')
}

/** Package code has no source map and keeps its position in the bundle. */
function nameSource(place: string, file: string, line: string, column: string): string {
  const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1)
  if (entry === undefined || !('originalSource' in entry) || entry.generatedLine !== Number(line) - 1)
    return place
  return `${new URL(entry.originalSource, file).href}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(`${fileURLToPath(file)}.map`))
  return maps.get(file)
}

function readMap(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}
