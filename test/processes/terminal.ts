import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { program, type Run } from './catalog-process.ts'
import { commandRunner } from './command-runner.ts'

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

/** Stands for bin/catalog: sends its folder and arguments, and evaluates the response. */
const client = `#!/bin/bash
eval "$(printf '%s\\0' "$PWD" "$@" | curl -q --silent --fail --unix-socket "\${0%/*}/../commands" --data-binary @- http://catalog/)"
`

export type Terminal = {
  /** Runs the lines as if pasted and returns their output. Variables remain for the next lines. */
  paste(lines: string): Promise<string>
  /** From now on, bin/catalog runs commands in the shared process, because starting a process takes longer than most commands. */
  shareProcess(): Promise<void>
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

  async function shareProcess(): Promise<void> {
    const { catalog } = commandRunner()
    const server = createServer(async (request, response) => {
      const [cwd = '', ...args] = Buffer.concat(await request.toArray())
        .toString()
        .split('\0')
        .slice(0, -1)
      const run = catalog(args, env, cwd).catch(({ message }) => ({ code: 1, stdout: '', stderr: message }))
      response.end(asShell(await run))
    })
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(join(folder, 'commands'), resolve))
    rmSync(join(folder, 'bin/catalog'))
    writeFileSync(join(folder, 'bin/catalog'), client, { mode: 0o755 })
  }
  return { paste, shareProcess }
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Lines that print the same and end with the same code. */
function asShell({ stdout, stderr, code }: Run): string {
  return `printf %s ${quoted(stdout)}\nprintf %s ${quoted(stderr)} >&2\nexit ${code}\n`
}
