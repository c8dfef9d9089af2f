import { Command } from 'commander'
import { changeRules, readRules } from '../../catalog/quality/change-rules.ts'
import { previewRules } from '../../catalog/quality/preview-rules.ts'
import { type QualityRules, QualityRulesInputSchema } from '../../catalog/quality/quality-rules.schema.ts'
import { currentRuleset } from '../../catalog/rulesets/rulesets.ts'
import type { QualityRule } from '../../model/quality/quality-rule.schema.ts'
import { checkInput } from '../../platform/http/body/check-input.ts'
import { type CommonOptions, print } from '../command.ts'
import { commandLineAuthor } from '../command-line-actor.ts'
import { commandWithProject, type ProjectOptions, withProject } from '../project-command.ts'
import { readTextOption } from '../text-option.ts'

export function qualityRulesCommand(): Command {
  const show = commandWithProject('show', 'Show the quality rules and the scoring progress')
    .addHelpText('after', '\nExample:\n  catalog quality-rules show --project 1 --json > rules.json')
    .action(async (options: ProjectOptions) => {
      const found = await withProject(options, async (database) => {
        const { version } = await currentRuleset(database, options.project)
        return readRules(database, options.project, version)
      })
      printRules(options, found)
    })

  const set = commandWithProject(
    'set',
    'Replace the quality rules with those in a file; the running service then rescores all products',
  )
    .argument('<file>', 'JSON file in the format of "show --json"; - reads standard input')
    .addHelpText('after', '\nExample:\n  catalog quality-rules set rules.json --project 1')
    .action(async (file: string, options: ProjectOptions) => {
      const rules = await readRulesFile(file)
      const changed = await withProject(options, async (database) => {
        const version = await changeRules(database, options.project, commandLineAuthor(), rules)
        return readRules(database, options.project, version)
      })
      printRules(options, changed)
    })

  const reset = commandWithProject('reset', 'Restore the default rules').action(
    async (options: ProjectOptions) => {
      const changed = await withProject(options, async (database) => {
        const version = await changeRules(database, options.project, commandLineAuthor(), null)
        return readRules(database, options.project, version)
      })
      printRules(options, changed)
    },
  )

  const preview = commandWithProject(
    'preview',
    'Report how the rules in a file would change scores, without writing',
  )
    .argument('<file>', 'JSON file in the format of "show --json"; - reads standard input')
    .addHelpText('after', '\nExample:\n  catalog quality-rules preview rules.json --project 1')
    .action(async (file: string, options: ProjectOptions) => {
      const rules = await readRulesFile(file)
      const {
        average,
        rules: failing,
        changes,
        ...counts
      } = await withProject(options, async (database) =>
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
    .description('Manage the rules for the quality score')
    .addCommand(show)
    .addCommand(set)
    .addCommand(reset)
    .addCommand(preview)
}

async function readRulesFile(file: string): Promise<QualityRule[]> {
  const text = await readTextOption({ file })
  let read: { rules?: QualityRule[] }
  try {
    read = JSON.parse(text)
  } catch (error) {
    throw new Error(`${file} is not valid JSON: ${(error as Error).message}`)
  }
  return checkInput(QualityRulesInputSchema, { rules: read?.rules as QualityRule[] }).rules
}

/** Prints the rules as a table; --json prints them as the API returns them. */
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
