import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { addServeOptions } from '../src/cli/commands/serve/serve-options.ts'
import { variables } from '../src/config.ts'
import { root } from './tree.ts'

/** docs/configure.md documents every variable and every option of `catalog serve`. */
const page = readFileSync(join(root, 'docs/configure.md'), 'utf8')
const options = addServeOptions(new Command()).options.map(({ long }) => String(long))
// As a whole: `--tls` is not documented by `--tls-cert`.
const missing = [...variables, ...options].filter(
  (name) => !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(page),
)
for (const name of missing) console.error(`docs/configure.md does not document ${name}`)
if (missing.length > 0) process.exitCode = 1
