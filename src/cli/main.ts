import { createRequire } from 'node:module'
import { Command, CommanderError } from 'commander'
import { demoCommand } from './demo.ts'
import { migrateCommand } from './migrate.ts'
import { openapiCommand } from './openapi.ts'
import { projectCommand } from './project.ts'
import { serveCommand } from './serve.ts'
import { tokenCommand } from './token.ts'

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }

const program = new Command('catalog')
  .description('Catalog Service: a multi-project product catalog with a REST API')
  .version(version)
  .exitOverride()
  .showHelpAfterError('(add --help for what there is)')
  .addHelpText(
    'after',
    `
Without DATABASE_URL the commands use the embedded PostgreSQL in ./data, beside a running service or alone.

Examples:
  catalog serve --demo                              start with demo data
  catalog project create --name "Shop" --plan pro   make a project
  catalog token create --project 1                  issue a token for it`,
  )

for (const command of [
  serveCommand,
  projectCommand,
  tokenCommand,
  demoCommand,
  migrateCommand,
  openapiCommand,
]) {
  program.addCommand(command().copyInheritedSettings(program))
}

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode
  else {
    console.error(`catalog: ${(error as Error).message}`)
    process.exitCode = 1
  }
}
