import { Command, Option } from 'commander'
import { addPromptVersion } from '../../../catalog/prompts/add-prompt-version.ts'
import { createPrompt } from '../../../catalog/prompts/create-prompt.ts'
import { diffPrompt } from '../../../catalog/prompts/diff-prompt.ts'
import { type NewPrompt, NewPromptSchema, type Prompt } from '../../../catalog/prompts/prompt.schema.ts'
import { listPrompts } from '../../../catalog/prompts/prompt.sql.ts'
import {
  type NewPromptVersion,
  NewPromptVersionSchema,
} from '../../../catalog/prompts/prompt-version.schema.ts'
import { type Bump, bumps } from '../../../model/prompts/version-number.ts'
import { checkInput } from '../../../platform/http/body/check-input.ts'
import { orderBy } from '../../../platform/http/query/ordering.ts'
import { type CommonOptions, parseId, print } from '../../command.ts'
import { allRows, commandWithProject, type ProjectOptions, withProject } from '../../project-command.ts'
import { readTextOption, type TextOptions } from '../../text-option.ts'
import { formatDiff } from './format-diff.ts'

type CreateOptions = ProjectOptions & TextOptions & { name: string; description: string }
type AddOptions = ProjectOptions & TextOptions & { bump?: Bump; versionNumber?: string; message: string }

const author = { actor: 'command line', source: 'cli' } as const

export function promptCommand(): Command {
  const prompt = new Command('prompt').description('Manage prompt templates and their versions')
  for (const one of [createCommand(), listCommand(), addVersionCommand(), diffCommand()])
    prompt.addCommand(one)
  return prompt
}

function createCommand(): Command {
  return commandWithProject('create', 'Create a prompt template with version 1.0.0')
    .requiredOption('--name <name>', 'Prompt name, unique in the project')
    .option('--description <text>', 'Purpose of the prompt', '')
    .option('--text <text>', 'Prompt text')
    .option('--file <file>', 'File with the prompt text; - reads standard input')
    .addHelpText(
      'after',
      `
Examples:
  catalog prompt create --project 1 --name "Titles" --text "Write a title for {{name}}."
  catalog prompt create --project 1 --name "Titles" --file titles.txt`,
    )
    .action(async (options: CreateOptions) => {
      const { name, description } = options
      const input = checkInput<NewPrompt>(NewPromptSchema, {
        name,
        description,
        prompt_text: await readTextOption(options),
      })
      const created = await withProject(options, (database) =>
        database.transaction((tx) => createPrompt(tx, options.project, author, input)),
      )
      print(options, readable(options, created))
    })
}

function listCommand(): Command {
  return commandWithProject('list', 'List prompt templates')
    .option('--search <words>', 'Only prompts whose name or description contains all words', '')
    .addHelpText('after', '\nExample:\n  catalog prompt list --project 1 --search title')
    .action(async (options: ProjectOptions & { search: string }) => {
      const { results } = await withProject(options, (database) =>
        listPrompts(database, options.project, options.search, orderBy('prompt'), allRows),
      )
      print(
        options,
        results.map((prompt) => readable(options, prompt)),
      )
    })
}

function addVersionCommand(): Command {
  return commandWithProject(
    'add-version',
    'Add a version, unless the text is the same as an existing version',
  )
    .argument('<id>', 'Prompt ID', parseId)
    .option('--text <text>', 'Prompt text')
    .option('--file <file>', 'File with the prompt text; - reads standard input')
    .addOption(
      new Option('--bump <part>', 'Part of the version number to increase (default: minor)').choices(bumps),
    )
    .option('--version-number <number>', 'Version number, greater than the latest, instead of --bump')
    .option('--message <text>', 'What changed and why', '')
    .addHelpText(
      'after',
      `
Examples:
  catalog prompt add-version 7 --project 1 --file titles.txt --message "Shorter"
  catalog prompt add-version 7 --project 1 --text "Title for {{name}}" --bump major`,
    )
    .action(async (id: number, options: AddOptions) => {
      const { project, bump, versionNumber, message } = options
      const input = checkInput<NewPromptVersion>(NewPromptVersionSchema, {
        prompt_text: await readTextOption(options),
        message,
        ...(bump && { bump }),
        ...(versionNumber !== undefined && { version_number: versionNumber }),
      })
      const { version, added } = await withProject(options, (database) =>
        database.transaction((tx) => addPromptVersion(tx, project, id, author, input)),
      )
      if (!added)
        console.error(`the text is the same as in version ${version.version_number}; no version was added`)
      print(options, version)
    })
}

function diffCommand(): Command {
  return commandWithProject('diff', 'Show changed lines and variables between two versions')
    .argument('<id>', 'Prompt ID', parseId)
    .option('--from <number>', 'Version to compare from (default: the previous version)')
    .option('--to <number>', 'Version to compare to (default: the latest)')
    .addHelpText('after', '\nExample:\n  catalog prompt diff 7 --project 1 --from 1.0.0 --to 1.2.0')
    .action(async (id: number, options: ProjectOptions & { from?: string; to?: string }) => {
      const diff = await withProject(options, (database) =>
        diffPrompt(database, options.project, id, options),
      )
      if (options.json === true) print(options, diff)
      else console.log(formatDiff(diff))
    })
}

/** The table shows labels in one line; --json prints the prompt as the API returns it. */
function readable({ json }: CommonOptions, prompt: Prompt): object {
  if (json === true) return prompt
  const { id, name, latest_version, variables, updated_at } = prompt
  const labels = Object.entries(prompt.labels).map(([label, version]) => `${label}=${version}`)
  return { id, name, latest_version, labels, variables, updated_at }
}
