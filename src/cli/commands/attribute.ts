import { Command } from 'commander'
import type { AttributeSuggestion } from '../../catalog/attributes/attribute-suggestion.schema.ts'
import { replaceDefinitions } from '../../catalog/attributes/manage-definitions.ts'
import { suggestDefinitions } from '../../catalog/attributes/suggest-definitions.ts'
import { currentRuleset } from '../../catalog/rulesets/rulesets.ts'
import {
  type AttributeDefinition,
  AttributeDefinitionSetSchema,
} from '../../model/attributes/attribute-definition.schema.ts'
import type { Database } from '../../platform/database/database.ts'
import { checkInput } from '../../platform/http/body/check-input.ts'
import { print } from '../command.ts'
import { commandLineAuthor } from '../command-line-actor.ts'
import { commandWithProject, type ProjectOptions, withProject } from '../project-command.ts'
import { readTextOption } from '../text-option.ts'

type DefinitionSet = { attributes: AttributeDefinition[] }

export function attributeCommand(): Command {
  return new Command('attribute')
    .description('Manage attribute definitions')
    .addCommand(listCommand())
    .addCommand(setCommand())
    .addCommand(suggestCommand())
}

function listCommand(): Command {
  return commandWithProject('list', 'List attribute definitions (--json prints a file for "set")')
    .addHelpText('after', '\nExample:\n  catalog attribute list --project 1 --json > attributes.json')
    .action(async (options: ProjectOptions) => {
      const attributes = await withProject(options, (database) => listDefinitions(database, options))
      print(options, options.json === true ? { attributes } : attributes.map(readable))
    })
}

function setCommand(): Command {
  return commandWithProject('set', 'Replace all attribute definitions with those in a file')
    .argument('<file>', 'JSON file in the format of PUT /attributes; - reads standard input')
    .option('--dry-run', 'Report what would change without writing')
    .addHelpText('after', '\nExample:\n  catalog attribute set attributes.json --project 1 --dry-run')
    .action(async (file: string, options: ProjectOptions & { dryRun?: boolean }) => {
      const { project, dryRun = false } = options
      const { attributes } = checkInput(AttributeDefinitionSetSchema, parse(await readTextOption({ file })))
      const changed = await withProject(options, (database) =>
        replaceDefinitions(database, project, commandLineAuthor(), attributes, dryRun),
      )
      print(options, changed)
    })
}

function suggestCommand(): Command {
  return commandWithProject(
    'suggest',
    'Suggest attribute definitions from your products (--json prints a file for "set")',
  )
    .addHelpText('after', '\nExample:\n  catalog attribute suggest --project 1 --json > attributes.json')
    .action(async (options: ProjectOptions) => {
      const { results, products, looked_at } = await withProject(options, async (database) =>
        suggestDefinitions(database, options.project, await listDefinitions(database, options)),
      )
      if (looked_at < products) console.error(`analyzed ${looked_at} of ${products} products`)
      const attributes = results.map(({ definition }) => definition)
      print(options, options.json === true ? { attributes } : results.map(readableSuggestion))
    })
}

async function listDefinitions(database: Database, { project }: ProjectOptions) {
  return (await currentRuleset(database, project)).definitions
}

function parse(text: string): DefinitionSet {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`the file is not valid JSON: ${(error as Error).message}`)
  }
}

function readable({ name, type, mode, multiple, unit, allowed }: AttributeDefinition): object {
  return { name, type, mode, multiple, unit, allowed }
}

function readableSuggestion({ name, products, distinct, definition }: AttributeSuggestion): object {
  const { type, multiple, allowed } = definition
  return { name, products, distinct, type, multiple, allowed }
}
