import { Command, Option } from 'commander'
import { requireProject } from '../../../access/projects/project.sql.ts'
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
import { checkInput, withPlainErrors } from '../../../platform/http/body/check-input.ts'
import { orderBy } from '../../../platform/http/query/ordering.ts'
import { type CommonOptions, command, parseId, print, withDatabase } from '../../command.ts'
import { readTextOption, type TextOptions } from '../../text-option.ts'
import { formatDiff } from './format-diff.ts'

type ProjectOptions = CommonOptions & { project: number }
type CreateOptions = ProjectOptions & TextOptions & { name: string; description: string }
type AddOptions = ProjectOptions & TextOptions & { bump?: Bump; versionNumber?: string; message: string }

const author = { actor: 'command line', source: 'cli' } as const
const everything = { number: 1, size: 2 ** 31 - 1 }

export function promptCommand(): Command {
  const prompt = new Command('prompt').description('prompt templates and their versions')
  for (const one of [createCommand(), listCommand(), addVersionCommand(), diffCommand()])
    prompt.addCommand(one)
  return prompt
}

function commandOfProject(name: string, description: string): Command {
  return command(name, description).requiredOption('--project <id>', 'id of the project', parseId)
}

function createCommand(): Command {
  return commandOfProject('create', 'make a prompt template; its text becomes version 1.0.0')
    .requiredOption('--name <name>', 'name of the prompt, once in a project')
    .option('--description <text>', 'what it is for', '')
    .option('--text <text>', 'the text')
    .option('--file <file>', 'file with the text; - reads standard input')
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
      const made = await withDatabase(options, async (database) => {
        await requireProject(database, options.project)
        return withPlainErrors(database.transaction((tx) => createPrompt(tx, options.project, author, input)))
      })
      print(options, readable(options, made))
    })
}

function listCommand(): Command {
  return commandOfProject('list', 'list the prompt templates of a project')
    .option('--search <words>', 'only those whose name or description has all the words', '')
    .addHelpText('after', '\nExample:\n  catalog prompt list --project 1 --search title')
    .action(async (options: ProjectOptions & { search: string }) => {
      const { results } = await withDatabase(options, async (database) => {
        await requireProject(database, options.project)
        return listPrompts(database, options.project, options.search, orderBy('prompt'), everything)
      })
      print(
        options,
        results.map((prompt) => readable(options, prompt)),
      )
    })
}

function addVersionCommand(): Command {
  return commandOfProject('add-version', 'add a version; a text that is there already is not added again')
    .argument('<id>', 'id of the prompt', parseId)
    .option('--text <text>', 'the text')
    .option('--file <file>', 'file with the text; - reads standard input')
    .addOption(new Option('--bump <part>', 'part of the number to raise (default: minor)').choices(bumps))
    .option('--version-number <number>', 'instead of --bump: a number above the latest')
    .option('--message <text>', 'what changed, and why', '')
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
      const { version, added } = await withDatabase(options, (database) =>
        withPlainErrors(database.transaction((tx) => addPromptVersion(tx, project, id, author, input))),
      )
      if (!added) console.error(`the text is that of version ${version.version_number}; nothing was added`)
      print(options, version)
    })
}

function diffCommand(): Command {
  return commandOfProject('diff', 'show what changed between two versions, by lines and by variables')
    .argument('<id>', 'id of the prompt', parseId)
    .option('--from <number>', 'version to compare from (default: the one before)')
    .option('--to <number>', 'version to compare to (default: the latest)')
    .addHelpText('after', '\nExample:\n  catalog prompt diff 7 --project 1 --from 1.0.0 --to 1.2.0')
    .action(async (id: number, options: ProjectOptions & { from?: string; to?: string }) => {
      const diff = await withDatabase(options, (database) =>
        withPlainErrors(diffPrompt(database, options.project, id, options)),
      )
      if (options.json === true) print(options, diff)
      else console.log(formatDiff(diff))
    })
}

/** People see the labels in a line; --json has the prompt as the API answers it. */
function readable({ json }: CommonOptions, prompt: Prompt): object {
  if (json === true) return prompt
  const { id, name, latest_version, variables, updated_at } = prompt
  const labels = Object.entries(prompt.labels).map(([label, version]) => `${label}=${version}`)
  return { id, name, latest_version, labels, variables, updated_at }
}
