import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { addServeOptions } from '../src/cli/commands/serve/serve-options.ts'
import { variables } from '../src/config.ts'
import { root } from './tree.ts'

/** Every variable and every option of `catalog serve` is in the README; docs/commands.md is generated. */
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const options = addServeOptions(new Command()).options.map(({ long }) => String(long))
// As a whole: `--tls` is not documented by `--tls-cert`.
const missing = [...variables, ...options].filter(
  (name) => !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(readme),
)
for (const name of missing) console.error(`README.md does not document ${name}`)
if (missing.length > 0) process.exitCode = 1
