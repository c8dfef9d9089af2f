import { Command } from 'commander'
import { requireProject } from '../../access/projects/project.sql.ts'
import type { AttributeSuggestion } from '../../catalog/attributes/attribute-suggestion.schema.ts'
import { replaceDefinitions } from '../../catalog/attributes/manage-definitions.ts'
import { suggestDefinitions } from '../../catalog/attributes/suggest-definitions.ts'
import { currentRuleset } from '../../catalog/rulesets/rulesets.ts'
import {
  type AttributeDefinition,
  AttributeDefinitionSetSchema,
} from '../../model/attributes/attribute-definition.schema.ts'
import type { Database } from '../../platform/database/database.ts'
import { checkInput, withPlainErrors } from '../../platform/http/body/check-input.ts'
import { type CommonOptions, command, parseId, print, withDatabase } from '../command.ts'
import { commandLineAuthor } from '../command-line-actor.ts'
import { readTextOption } from '../text-option.ts'

type ProjectOptions = CommonOptions & { project: number }
type DefinitionSet = { attributes: AttributeDefinition[] }

export function attributeCommand(): Command {
  return new Command('attribute')
    .description('definitions of attributes')
    .addCommand(listCommand())
    .addCommand(setCommand())
    .addCommand(suggestCommand())
}

function listCommand(): Command {
  return commandOf('list', 'list the definitions; --json prints a set that "set" takes')
    .addHelpText('after', '\nExample:\n  catalog attribute list --project 1 --json > attributes.json')
    .action(async (options: ProjectOptions) => {
      const attributes = await withDatabase(options, (database) => definitionsOf(database, options))
      print(options, options.json === true ? { attributes } : attributes.map(readable))
    })
}

function setCommand(): Command {
  return commandOf('set', 'replace all definitions by those of a file')
    .argument('<file>', 'JSON as PUT /attributes takes it; - reads standard input')
    .option('--dry-run', 'say what would change, and write nothing')
    .addHelpText('after', '\nExample:\n  catalog attribute set attributes.json --project 1 --dry-run')
    .action(async (file: string, options: ProjectOptions & { dryRun?: boolean }) => {
      const { project, dryRun = false } = options
      const { attributes } = checkInput(AttributeDefinitionSetSchema, parse(await readTextOption({ file })))
      const changed = await withDatabase(options, async (database) => {
        await requireProject(database, project)
        return withPlainErrors(replaceDefinitions(database, project, commandLineAuthor(), attributes, dryRun))
      })
      print(options, changed)
    })
}

function suggestCommand(): Command {
  return commandOf('suggest', 'suggest definitions from the products; --json prints a set that "set" takes')
    .addHelpText('after', '\nExample:\n  catalog attribute suggest --project 1 --json > attributes.json')
    .action(async (options: ProjectOptions) => {
      const { results, products, looked_at } = await withDatabase(options, async (database) =>
        suggestDefinitions(database, options.project, await definitionsOf(database, options)),
      )
      if (looked_at < products) console.error(`looked at ${looked_at} of ${products} products`)
      const attributes = results.map(({ definition }) => definition)
      print(options, options.json === true ? { attributes } : results.map(readableSuggestion))
    })
}

function commandOf(name: string, description: string): Command {
  return command(name, description).requiredOption('--project <id>', 'id of the project', parseId)
}

async function definitionsOf(database: Database, { project }: ProjectOptions) {
  await requireProject(database, project)
  return (await currentRuleset(database, project)).definitions
}

function parse(text: string): DefinitionSet {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`the file is not JSON: ${(error as Error).message}`)
  }
}

function readable({ name, type, mode, multiple, unit, allowed }: AttributeDefinition): object {
  return { name, type, mode, multiple, unit, allowed }
}

function readableSuggestion({ name, products, distinct, definition }: AttributeSuggestion): object {
  const { type, multiple, allowed } = definition
  return { name, products, distinct, type, multiple, allowed }
}
