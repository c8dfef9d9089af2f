import { readFileSync, statSync } from 'node:fs'

const longestSecretBytes = 64 * 1024

/** A secret as an orchestrator hands it over: the contents of a file, without the line break that editors and `echo` add. */
export function readSecretFile(variable: string, path: string): string {
  const secret = readText(variable, path).replace(/[\r\n]+$/, '')
  if (secret === '') throw new Error(`${variable}: the file ${path} is empty`)
  return secret
}

function readText(variable: string, path: string): string {
  try {
    if (statSync(path).size > longestSecretBytes) throw new Error('it is too large for a secret')
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`${variable}: the file ${path} cannot be read: ${(error as Error).message}`)
  }
}
