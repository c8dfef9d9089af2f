import type { Argument, Command, Option } from 'commander'
import { loadCommands } from '../src/cli/run.ts'

/** The reference of the command line. Its texts are those of --help. */
export async function commandsPage(): Promise<string> {
  const commands = await loadCommands()
  const sections = commands.flatMap((command) => withSubcommands(command)).map(section)
  return `# Commands

Generated from \`src/cli/commands/\` by \`npm run generate\`. \`catalog <command> --help\` shows the same, with
examples. [Configure](configure.md) lists the environment variables for the options of
\`catalog serve\`.

All commands take these options:

| Option | |
|---|---|
${commonOptions(commands).map(row).join('\n')}

${sections.join('\n\n')}
`
}

function withSubcommands(command: Command, path = command.name()): { path: string; command: Command }[] {
  const subcommands = command.commands.flatMap((sub) => withSubcommands(sub, `${path} ${sub.name()}`))
  // One that only groups others does nothing of its own.
  const isGroup = command.commands.length > 0 && command.options.length === 0
  return isGroup ? subcommands : [{ path, command }, ...subcommands]
}

const shared = new Set(['--data', '--json'])

function commonOptions([first]: Command[]): Option[] {
  return first?.options.filter(({ long }) => shared.has(String(long))) ?? []
}

function section({ path, command }: { path: string; command: Command }): string {
  const own = command.options.filter(({ long }) => !shared.has(String(long)))
  const rows = [...command.registeredArguments.map(argumentRow), ...own.map(row)]
  const usage = [path, ...command.registeredArguments.map(placeholder)].join(' ')
  const table = rows.length === 0 ? [] : ['', '| Argument or option | |', '|---|---|', ...rows]
  return [`## catalog ${path}`, '', `\`catalog ${usage}\`: ${cell(command.description())}.`, ...table].join(
    '\n',
  )
}

function placeholder(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`
}

function argumentRow(argument: Argument): string {
  return `| \`${placeholder(argument)}\` | ${cell(argument.description)} |`
}

function row({ flags, description, argChoices, mandatory }: Option): string {
  const choices =
    argChoices === undefined ? '' : `: ${argChoices.map((choice) => `\`${choice}\``).join(', ')}`
  return `| \`${flags}\` | ${cell(description)}${choices}${mandatory ? ' (required)' : ''} |`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
}
