import { Command, InvalidArgumentError, Option } from 'commander'
import { discardProposal } from '../../../catalog/proposals/discard-proposal.ts'
import {
  type LineFlag,
  type LineState,
  lineFlags,
  lineStates,
  type Origin,
  type Outcome,
  origins,
  outcomes,
  type ProposalState,
  proposalStates,
} from '../../../catalog/proposals/proposal.schema.ts'
import { listProposals, requireProposal } from '../../../catalog/proposals/proposal.sql.ts'
import { orderBy } from '../../../platform/http/query/ordering.ts'
import { parseId, print } from '../../command.ts'
import { commandLineAuthor } from '../../command-line-actor.ts'
import { allRows, commandWithProject, type ProjectOptions, withProject } from '../../project-command.ts'
import { applyWithProgress, revertAndPrepare } from './apply-with-progress.ts'
import { editCommand } from './edit-line-command.ts'
import { printProposal, printWithLines, toTableRow } from './print-proposal.ts'

type ListOptions = ProjectOptions & { state?: ProposalState; origin?: Origin }
type ShowOptions = ProjectOptions & {
  lines?: boolean
  state?: LineState
  outcome?: Outcome
  flag?: LineFlag
}
type LinesOptions = ProjectOptions & { lines?: number[] }

export function proposalCommand(): Command {
  const proposal = new Command('proposal').description(
    'Review and apply proposed changes ("catalog import --propose" creates proposals)',
  )
  for (const one of [
    listCommand(),
    showCommand(),
    editCommand(),
    applyCommand(),
    discardCommand(),
    revertCommand(),
  ])
    proposal.addCommand(one)
  return proposal
}

function listCommand(): Command {
  return commandWithProject('list', 'List proposals')
    .addOption(new Option('--state <state>', 'Only proposals in this state').choices(proposalStates))
    .addOption(new Option('--origin <origin>', 'Only proposals with this origin').choices(origins))
    .addHelpText('after', '\nExample:\n  catalog proposal list --project 1 --state open')
    .action(async (options: ListOptions) => {
      const { results } = await withProject(options, (database) =>
        listProposals(database, options.project, options, orderBy('proposal'), allRows),
      )
      print(options, options.json === true ? results : results.map(toTableRow))
    })
}

function showCommand(): Command {
  return commandWithProposal('show', 'Show a proposal and, with --lines, what each line changes')
    .option('--lines', 'Also show the lines')
    .addOption(new Option('--state <state>', 'Only lines in this state').choices(lineStates))
    .addOption(new Option('--outcome <outcome>', 'Only lines with this outcome').choices(outcomes))
    .addOption(new Option('--flag <flag>', 'Only lines of a run with this flag').choices(lineFlags))
    .addHelpText(
      'after',
      '\nExamples:\n  catalog proposal show 7 --project 1\n  catalog proposal show 7 --project 1 --lines --state conflict',
    )
    .action(async (id: number, options: ShowOptions) => {
      if (options.lines !== true && (options.state ?? options.outcome ?? options.flag) !== undefined)
        throw new Error('--state, --outcome and --flag filter lines; add --lines')
      await withProject(options, async (database) => {
        const proposal = await requireProposal(database, options.project, id)
        if (options.lines === true) await printWithLines(database, options, proposal)
        else printProposal(options, proposal)
      })
    })
}

function applyCommand(): Command {
  return commandWithProposal('apply', 'Apply a proposal (safe to run again)')
    .option('--lines <numbers>', 'Only these lines, such as 1,2', parseNumbers)
    .option('--revision <number>', 'Only if no one has edited a line since this revision', parseId)
    .option(
      '--overwrite',
      'Apply the selected lines even if their fields have changed since the proposal was created',
    )
    .addHelpText(
      'after',
      `
If the fields of a line have changed since the proposal was created, the line becomes a conflict and its product does not change.
The exit code is 1 if a line is in conflict or rejected.

Examples:
  catalog proposal apply 7 --project 1
  catalog proposal apply 7 --project 1 --lines 3,5 --overwrite`,
    )
    .action(async (id: number, options: LinesOptions & { overwrite?: boolean; revision?: number }) => {
      const { lines, overwrite = false } = options
      if (overwrite && lines === undefined)
        throw new Error('--overwrite requires --lines with the conflicts that you have reviewed')
      const applied = await withProject(options, (database) =>
        applyWithProgress(database, options.project, id, lines, overwrite, options.revision),
      )
      printProposal(options, applied.proposal)
      if (applied.failed > 0) process.exitCode = 1
    })
}

function discardCommand(): Command {
  return commandWithProposal(
    'discard',
    'Discard a proposal or some of its lines (applied lines stay applied)',
  )
    .option('--lines <numbers>', 'Only these lines, such as 1,2', parseNumbers)
    .addHelpText('after', '\nExample:\n  catalog proposal discard 7 --project 1 --lines 4')
    .action(async (id: number, options: LinesOptions) => {
      const discarding = {
        projectId: options.project,
        author: commandLineAuthor(),
        id,
        numbers: options.lines,
        onlyTokenId: null,
      }
      printProposal(options, await withProject(options, (database) => discardProposal(database, discarding)))
    })
}

function revertCommand(): Command {
  return commandWithProposal('revert', 'Create a proposal that reverts the changes of this one')
    .addHelpText('after', '\nNothing changes until you apply the new proposal.')
    .addHelpText('after', '\nExample:\n  catalog proposal revert 7 --project 1')
    .action(async (id: number, options: ProjectOptions) =>
      printProposal(
        options,
        await withProject(options, (database) => revertAndPrepare(database, options.project, id)),
      ),
    )
}

function commandWithProposal(name: string, description: string): Command {
  return commandWithProject(name, description).argument('<id>', 'Proposal ID', parseId)
}

function parseNumbers(text: string): number[] {
  const numbers = text
    .split(',')
    .map((part) => (/^[1-9]\d{0,6}$/.test(part.trim()) ? Number(part) : undefined))
  if (numbers.includes(undefined))
    throw new InvalidArgumentError('Use whole numbers from 1, separated by commas.')
  return numbers as number[]
}
