import { type Argument, Command, type Option } from 'commander'
import { addServeOptions } from '../src/cli/commands/serve/serve-options.ts'
import { loadCommands } from '../src/cli/run.ts'

/** Generates the command reference from the --help descriptions. */
export async function commandsPage(): Promise<string> {
  const commands = await loadCommands()
  const sections = commands.flatMap((command) => withSubcommands(command)).map(section)
  return `# Command reference

This page lists all commands of \`bin/catalog\`. For examples, run \`catalog <command> --help\`. You
can also set most options of \`catalog serve\` with [environment variables](configure.md).

<!-- Generated from src/cli/commands/ by npm run generate. -->

All commands have these options:

| Option | Description |
|---|---|
${commonOptions(commands).map(row).join('\n')}

${sections.join('\n\n')}
`
}

function withSubcommands(command: Command, path = command.name()): { path: string; command: Command }[] {
  const subcommands = command.commands.flatMap((sub) => withSubcommands(sub, `${path} ${sub.name()}`))
  // A command without options only groups its subcommands.
  const isGroup = command.commands.length > 0 && command.options.length === 0
  return isGroup ? subcommands : [{ path, command }, ...subcommands]
}

const serveOptions = new Set(addServeOptions(new Command()).options.map(({ long }) => String(long)))
const shared = new Set(['--data', '--json'])

function commonOptions([first]: Command[]): Option[] {
  return first?.options.filter(({ long }) => shared.has(String(long))) ?? []
}

/** One line, or one line per option if that would be too long. */
function usageOf(parts: string[]): string {
  const line = `Usage: \`${parts.join(' ')}\``
  return line.length <= 100 ? line : ['Usage:', '', '```sh', parts.join(' \\\n  '), '```'].join('\n')
}

function section({ path, command }: { path: string; command: Command }): string {
  const required = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags)
  const parts = [`catalog ${path}`, ...command.registeredArguments.map(placeholder), ...required, '[options]']
  const lines = [`## \`catalog ${path}\``, '', `${cell(command.description())}.`, '', usageOf(parts)]
  const repeatsServe = path !== 'serve' && command.options.some(({ long }) => long === '--behind-proxy')
  if (repeatsServe)
    lines.push('', 'The command also has the options of [`catalog serve`](#catalog-serve), except `--demo`.')
  const own = command.options.filter(
    ({ long }) => !shared.has(String(long)) && !(repeatsServe && serveOptions.has(String(long))),
  )
  const rows = [...command.registeredArguments.map(argumentRow), ...own.map(row)]
  if (rows.length > 0) lines.push('', '| Argument or option | Description |', '|---|---|', ...rows)
  return lines.join('\n')
}

function placeholder(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`
}

function argumentRow(argument: Argument): string {
  return `| \`${placeholder(argument)}\` | ${cell(argument.description)} |`
}

function row({
  flags,
  description,
  argChoices,
  mandatory,
  defaultValue,
  defaultValueDescription,
}: Option): string {
  const value = defaultValueDescription ?? defaultValue
  const isShown = value !== undefined && value !== '' && typeof value !== 'boolean'
  const choices =
    argChoices === undefined ? '' : `: ${argChoices.map((choice) => `\`${choice}\``).join(', ')}`
  return `| \`${flags}\` | ${cell(description)}${choices}${mandatory ? ' (required)' : ''}${isShown ? ` (default: ${value})` : ''} |`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
}
