import { type Command, InvalidArgumentError } from 'commander'
import { editLine } from '../../../catalog/proposals/line-edits/edit-line.ts'
import { requireProposal } from '../../../catalog/proposals/proposal.sql.ts'
import type { Patch } from '../../../catalog/proposals/proposal-line.sql.ts'
import { currentRuleset } from '../../../catalog/rulesets/rulesets.ts'
import { LinePatchSchema } from '../../../model/product/product-input.schema.ts'
import { checkInput, withPlainErrors } from '../../../platform/http/body/check-input.ts'
import { parseId } from '../../command.ts'
import { commandLineAuthor } from '../../command-line-actor.ts'
import { commandWithProject, type ProjectOptions, withProject } from '../../project-command.ts'
import { printWithLines } from './print-proposal.ts'

export function editCommand(): Command {
  return commandWithProject('edit', 'Change what an open line of a proposal writes')
    .argument('<id>', 'Proposal ID', parseId)
    .argument('<line>', 'Line number', parseId)
    .requiredOption('--patch <json>', 'The new values, as a JSON object', parseJson)
    .addHelpText('after', `\nExample:\n  catalog proposal edit 7 3 --project 1 --patch '{"price": 12.5}'`)
    .action(async (id: number, line: number, options: ProjectOptions & { patch: unknown }) => {
      const patch = checkInput(LinePatchSchema, options.patch as Patch)
      await withProject(options, async (database) => {
        const ruleset = await currentRuleset(database, options.project)
        const author = commandLineAuthor()
        const push = { projectId: options.project, author, ruleset, mode: 'upsert' } as const
        const editing = { push, id, line, patch, revision: undefined, onlyTokenId: null }
        await withPlainErrors(editLine(database, editing))
        const proposal = await requireProposal(database, options.project, id)
        await printWithLines(database, { ...options, line }, proposal)
      })
    })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidArgumentError('Use a JSON object, such as {"price": 12.5}.')
  }
}
