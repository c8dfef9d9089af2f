import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtFolder, readStamp, sourceFolder, sourceStamp } from './build-stamp.ts'

const builder = fileURLToPath(new URL('./build.ts', import.meta.url))
const longestMilliseconds = 120_000

/**
 * Builds the console's pages when they are missing or older than their sources. The service runs without them too, so a
 * failure is a word to the operator and no more.
 */
export async function ensureConsoleBuilt(tell: (line: string) => void): Promise<void> {
  if (!existsSync(sourceFolder) || readStamp() === sourceStamp()) return
  tell('building the console')
  try {
    mkdirSync(dirname(builtFolder), { recursive: true })
    await runBuilder()
  } catch (error) {
    const left =
      readStamp() === undefined ? 'the console is not served' : 'the last build of the console is served'
    tell(`warning: the console cannot be built, so ${left}: ${(error as Error).message.trim()}`)
  }
}

function runBuilder(): Promise<void> {
  const args = ['--disable-warning=ExperimentalWarning', builder]
  // Vite builds React for production only where this says so.
  const env = { ...process.env, NODE_ENV: 'production' }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { env, timeout: longestMilliseconds }, (error, _output, faults) => {
      if (error === null) resolve()
      else reject(faults.trim() === '' ? error : new Error(faults))
    })
  })
}
