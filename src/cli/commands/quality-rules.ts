import { Command } from 'commander'
import { requireProject } from '../../access/projects/project.sql.ts'
import { changeRules, readRules } from '../../catalog/quality/change-rules.ts'
import { previewRules } from '../../catalog/quality/preview-rules.ts'
import { type QualityRules, QualityRulesInputSchema } from '../../catalog/quality/quality-rules.schema.ts'
import { currentRuleset } from '../../catalog/rulesets/rulesets.ts'
import type { QualityRule } from '../../model/quality/quality-rule.schema.ts'
import type { Database } from '../../platform/database/database.ts'
import { checkInput, withPlainErrors } from '../../platform/http/body/check-input.ts'
import { type CommonOptions, command, parseId, print, withDatabase } from '../command.ts'
import { commandLineAuthor } from '../command-line-actor.ts'
import { readTextOption } from '../text-option.ts'

type ProjectOptions = CommonOptions & { project: number }

export function qualityRulesCommand(): Command {
  const show = commandOf('show', 'show the rules, and how many products are scored by them')
    .addHelpText('after', '\nExample:\n  catalog quality-rules show --project 1 --json > rules.json')
    .action(async (options: ProjectOptions) => {
      const found = await onProject(options, async (database) => {
        const { version } = await currentRuleset(database, options.project)
        return readRules(database, options.project, version)
      })
      printRules(options, found)
    })

  const set = commandOf(
    'set',
    'score products by the rules of a file; a running service scores all of them again',
  )
    .argument('<file>', 'JSON, as "show --json" writes it; - reads standard input')
    .addHelpText('after', '\nExample:\n  catalog quality-rules set rules.json --project 1')
    .action(async (file: string, options: ProjectOptions) => {
      const rules = await readFileOfRules(file)
      const changed = await onProject(options, async (database) => {
        const version = await changeRules(database, options.project, commandLineAuthor(), rules)
        return readRules(database, options.project, version)
      })
      printRules(options, changed)
    })

  const reset = commandOf('reset', "go back to the service's own rules").action(
    async (options: ProjectOptions) => {
      const changed = await onProject(options, async (database) => {
        const version = await changeRules(database, options.project, commandLineAuthor(), null)
        return readRules(database, options.project, version)
      })
      printRules(options, changed)
    },
  )

  const preview = commandOf('preview', 'say what the rules of a file would change, and write nothing')
    .argument('<file>', 'JSON, as "show --json" writes it; - reads standard input')
    .addHelpText('after', '\nExample:\n  catalog quality-rules preview rules.json --project 1')
    .action(async (file: string, options: ProjectOptions) => {
      const rules = await readFileOfRules(file)
      const {
        average,
        rules: failing,
        changes,
        ...counts
      } = await onProject(options, async (database) =>
        previewRules(database, options.project, await currentRuleset(database, options.project), rules),
      )
      if (options.json === true) print(options, { ...counts, average, rules: failing, changes })
      else {
        print(options, { ...counts, average_before: average.before, average_after: average.after })
        print(options, failing)
        print(options, changes)
      }
    })

  return new Command('quality-rules')
    .description('the rules that products are scored by')
    .addCommand(show)
    .addCommand(set)
    .addCommand(reset)
    .addCommand(preview)
}

function commandOf(name: string, description: string): Command {
  return command(name, description).requiredOption('--project <id>', 'id of the project', parseId)
}

function onProject<Result>(
  options: ProjectOptions,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  return withDatabase(options, async (database) => {
    await requireProject(database, options.project)
    return withPlainErrors(work(database))
  })
}

async function readFileOfRules(file: string): Promise<QualityRule[]> {
  const text = await readTextOption({ file })
  let read: { rules?: QualityRule[] }
  try {
    read = JSON.parse(text)
  } catch (error) {
    throw new Error(`${file} is not JSON: ${(error as Error).message}`)
  }
  return checkInput(QualityRulesInputSchema, { rules: read?.rules as QualityRule[] }).rules
}

/** People see the rules as a table; --json has all of them as the API answers it. */
function printRules(options: CommonOptions, found: QualityRules): void {
  const { ruleset, rules, progress } = found
  if (options.json === true) print(options, found)
  else {
    print(options, { ruleset, ...(progress ?? { scored: 'all' }) })
    print(
      options,
      rules.map(({ code, kind, points, message }) => ({ code, kind, points, message })),
    )
  }
}
