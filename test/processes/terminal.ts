import { spawn } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { program } from './catalog-process.ts'

// Reads blocks from descriptor 3. A zero byte ends each block, and its output.
const loop = `
exec 2>&1
set -euo pipefail
trap 'printf "\\nfailed: %s\\n" "$BASH_COMMAND"' ERR
while IFS= read -r -d "" -u 3 block; do
  eval "$block" 3<&-
  printf "\\0"
done
`

/** Makes curl fail on error responses, because the docs show calls that succeed. */
const curlSettings = 'fail-with-body\nsilent\nshow-error\n'

export type Terminal = {
  /** Runs the lines as if pasted and returns their output. Variables remain for the next lines. */
  paste(lines: string): Promise<string>
}

/** A shell in a folder with `bin/catalog`, like a checkout. */
export function openTerminal(folder: string, env: Record<string, string>): Terminal {
  mkdirSync(join(folder, 'bin'))
  symlinkSync(program, join(folder, 'bin/catalog'))
  writeFileSync(join(folder, '.curlrc'), curlSettings)
  const { PATH, HOME } = process.env
  const bash = spawn('bash', ['-c', loop], {
    cwd: folder,
    env: { PATH, HOME, CURL_HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  })
  onTestFinished(() => void bash.kill())
  const input = bash.stdio[3] as Writable
  const output = (bash.stdout as Readable).setEncoding('utf8')

  async function paste(lines: string): Promise<string> {
    input.write(`${lines}\0`)
    let printed = ''
    for await (const part of output.iterator({ destroyOnReturn: false })) {
      printed += part
      if (printed.endsWith('\0')) return printed.slice(0, -1)
    }
    throw new Error(`This does not work when pasted:\n${lines}\n\nIt prints:\n${printed}`)
  }
  return { paste }
}
