import { readFileSync, statSync } from 'node:fs'
import { secretFileLimits } from '../limits/network.ts'

/** Reads a secret from a file, without the line break that editors and `echo` add. */
export function readSecretFile(variable: string, path: string): string {
  const secret = readText(variable, path).replace(/[\r\n]+$/, '')
  if (secret === '') throw new Error(`${variable}: the file ${path} is empty`)
  return secret
}

function readText(variable: string, path: string): string {
  try {
    if (statSync(path).size > secretFileLimits.secretBytes) throw new Error('it is too large for a secret')
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`${variable}: the file ${path} cannot be read: ${(error as Error).message}`)
  }
}
