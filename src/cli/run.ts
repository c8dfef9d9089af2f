import { Command, CommanderError } from 'commander'
import { version } from '../platform/version.ts'

type Load = () => Promise<() => Command>

const commands: Record<string, Load> = {
  serve: async () => (await import('./commands/serve/serve.ts')).serveCommand,
  project: async () => (await import('./commands/project.ts')).projectCommand,
  plan: async () => (await import('./commands/plan.ts')).planCommand,
  media: async () => (await import('./commands/media.ts')).mediaCommand,
  product: async () => (await import('./commands/product.ts')).productCommand,
  token: async () => (await import('./commands/token.ts')).tokenCommand,
  access: async () => (await import('./commands/access.ts')).accessCommand,
  user: async () => (await import('./commands/user/user.ts')).userCommand,
  member: async () => (await import('./commands/user/member.ts')).memberCommand,
  category: async () => (await import('./commands/category.ts')).categoryCommand,
  'quality-rules': async () => (await import('./commands/quality-rules.ts')).qualityRulesCommand,
  attribute: async () => (await import('./commands/attribute.ts')).attributeCommand,
  prompt: async () => (await import('./commands/prompt/prompt.ts')).promptCommand,
  proposal: async () => (await import('./commands/proposal/proposal.ts')).proposalCommand,
  run: async () => (await import('./commands/run/run.ts')).runCommand,
  webhook: async () => (await import('./commands/webhook/webhook.ts')).webhookCommand,
  ai: async () => (await import('./commands/ai/ai.ts')).aiCommand,
  jobs: async () => (await import('./commands/jobs.ts')).jobsCommand,
  events: async () => (await import('./commands/events.ts')).eventsCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  demo: async () => (await import('./commands/demo.ts')).demoCommand,
  backup: async () => (await import('./commands/database/backup.ts')).backupCommand,
  restore: async () => (await import('./commands/database/restore.ts')).restoreCommand,
  move: async () => (await import('./commands/database/move.ts')).moveCommand,
  'upgrade-postgres': async () =>
    (await import('./commands/database/upgrade-postgres.ts')).upgradePostgresCommand,
  migrate: async () => (await import('./commands/database/migrate.ts')).migrateCommand,
  ready: async () => (await import('./commands/serve/ready.ts')).readyCommand,
  doctor: async () => (await import('./commands/serve/doctor.ts')).doctorCommand,
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
  openapi: async () => (await import('./commands/openapi.ts')).openapiCommand,
}

/** All commands, for the generated reference and for checks. */
export function loadCommands(): Promise<Command[]> {
  return Promise.all(Object.values(commands).map(async (load) => (await load())()))
}

/** Runs the command that the arguments name and sets process.exitCode. */
export async function run(args: string[]): Promise<void> {
  const program = makeProgram()
  try {
    for (const load of needed(args)) addCommand(program, (await load())())
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode
    else {
      console.error(`catalog: ${(error as Error).message}`)
      process.exitCode = 1
    }
  }
}

/** Loads only the called command. Help needs all commands, --version none. */
function needed([first = '']: string[]): Load[] {
  const called = commands[first]
  if (called !== undefined) return [called]
  return first === '--version' || first === '-V' ? [] : Object.values(commands)
}

function makeProgram(): Command {
  return new Command('catalog')
    .description('Catalog Service: a product catalog with a REST API, for one or many projects')
    .version(version, '-V, --version', 'Show the version')
    .helpOption('-h, --help', 'Show help')
    .helpCommand('help [command]', 'Show help for a command')
    .exitOverride()
    .showHelpAfterError('(run with --help for usage)')
    .addHelpText(
      'after',
      `
Commands use the database in DATABASE_URL. Without it, they use the embedded PostgreSQL in ./data.
You can run them while the service runs.

Examples:
  catalog serve --demo                              Start the service with demo data
  catalog project create --name "Shop" --plan pro   Create a project
  catalog token create --project 1                  Create an API token for it`,
    )
}

/** Commander passes settings on only to commands that it creates itself, so this copies them to ours. */
function addCommand(program: Command, command: Command): void {
  program.addCommand(command)
  inheritSettings(program, command)
}

function inheritSettings(parent: Command, command: Command): void {
  command.copyInheritedSettings(parent)
  for (const sub of command.commands) inheritSettings(command, sub)
}
