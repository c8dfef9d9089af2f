import { Command, InvalidArgumentError, Option } from 'commander'
import { requireProject } from '../../../access/projects/project.sql.ts'
import { discardProposal } from '../../../catalog/proposals/discard-proposal.ts'
import {
  type LineState,
  lineStates,
  type Origin,
  type Outcome,
  origins,
  outcomes,
  type ProposalState,
  proposalStates,
} from '../../../catalog/proposals/proposal.schema.ts'
import { listProposals, requireProposal } from '../../../catalog/proposals/proposal.sql.ts'
import type { Database } from '../../../platform/database/database.ts'
import { withPlainErrors } from '../../../platform/http/body/check-input.ts'
import { orderBy } from '../../../platform/http/query/ordering.ts'
import { type CommonOptions, command, parseId, print, withDatabase } from '../../command.ts'
import { commandLineAuthor } from '../../command-line-actor.ts'
import { applyWithProgress, revertAndPrepare } from './apply-with-progress.ts'
import { briefly, printProposal, printWithLines } from './print-proposal.ts'

type ProjectOptions = CommonOptions & { project: number }
type ListOptions = ProjectOptions & { state?: ProposalState; origin?: Origin }
type ShowOptions = ProjectOptions & { lines?: boolean; state?: LineState; outcome?: Outcome }
type LinesOptions = ProjectOptions & { lines?: number[] }

const everything = { number: 1, size: 2 ** 31 - 1 }

export function proposalCommand(): Command {
  const proposal = new Command('proposal').description(
    'changes that somebody looks at before they are written; "catalog import --propose" makes some',
  )
  for (const one of [listCommand(), showCommand(), applyCommand(), discardCommand(), revertCommand()])
    proposal.addCommand(one)
  return proposal
}

function listCommand(): Command {
  return commandOfProject('list', 'list the proposals of a project')
    .addOption(new Option('--state <state>', 'only those in this state').choices(proposalStates))
    .addOption(new Option('--origin <origin>', 'only those that come from there').choices(origins))
    .addHelpText('after', '\nExample:\n  catalog proposal list --project 1 --state open')
    .action(async (options: ListOptions) => {
      const { results } = await withProject(options, (database) =>
        listProposals(database, options.project, options, orderBy('proposal'), everything),
      )
      print(options, options.json === true ? results : results.map(briefly))
    })
}

function showCommand(): Command {
  return commandOfProposal('show', 'show a proposal, and with --lines what each line changes')
    .option('--lines', 'its lines, too')
    .addOption(new Option('--state <state>', 'only lines in this state').choices(lineStates))
    .addOption(new Option('--outcome <outcome>', 'only lines that would do this').choices(outcomes))
    .addHelpText(
      'after',
      '\nExamples:\n  catalog proposal show 7 --project 1\n  catalog proposal show 7 --project 1 --lines --state conflict',
    )
    .action(async (id: number, options: ShowOptions) => {
      if (options.lines !== true && (options.state ?? options.outcome) !== undefined)
        throw new Error('--state and --outcome choose lines; add --lines')
      await withProject(options, async (database) => {
        const proposal = await requireProposal(database, options.project, id)
        if (options.lines === true) await printWithLines(database, options, proposal)
        else printProposal(options, proposal)
      })
    })
}

function applyCommand(): Command {
  return commandOfProposal('apply', 'write what a proposal says; it may be run again')
    .option('--lines <numbers>', 'only these lines, such as 1,2', parseNumbers)
    .option('--overwrite', 'write the named lines also where somebody else changed their fields since')
    .addHelpText(
      'after',
      `
A line whose fields somebody else has changed since becomes a conflict, and its product stays as it is. The exit code is 1 where a
line is in conflict or is rejected.

Examples:
  catalog proposal apply 7 --project 1
  catalog proposal apply 7 --project 1 --lines 3,5 --overwrite`,
    )
    .action(async (id: number, options: LinesOptions & { overwrite?: boolean }) => {
      const { lines, overwrite = false } = options
      if (overwrite && lines === undefined)
        throw new Error('--overwrite needs --lines: name the lines whose conflicts you have seen')
      const applied = await withProject(options, (database) =>
        applyWithProgress(database, options.project, id, lines, overwrite),
      )
      printProposal(options, applied.proposal)
      if (applied.refused > 0) process.exitCode = 1
    })
}

function discardCommand(): Command {
  return commandOfProposal('discard', 'discard a proposal or some of its lines; what is applied stays')
    .option('--lines <numbers>', 'only these lines, such as 1,2', parseNumbers)
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
  return commandOfProposal('revert', 'make a proposal that takes back what this one has changed')
    .addHelpText('after', '\nNothing is taken back until the new one is applied.')
    .addHelpText('after', '\nExample:\n  catalog proposal revert 7 --project 1')
    .action(async (id: number, options: ProjectOptions) =>
      printProposal(
        options,
        await withProject(options, (database) => revertAndPrepare(database, options.project, id)),
      ),
    )
}

function commandOfProject(name: string, description: string): Command {
  return command(name, description).requiredOption('--project <id>', 'id of the project', parseId)
}

function commandOfProposal(name: string, description: string): Command {
  return commandOfProject(name, description).argument('<id>', 'id of the proposal', parseId)
}

function withProject<Result>(
  options: ProjectOptions,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  return withDatabase(options, async (database) => {
    await requireProject(database, options.project)
    return withPlainErrors(work(database))
  })
}

function parseNumbers(text: string): number[] {
  const numbers = text
    .split(',')
    .map((part) => (/^[1-9]\d{0,6}$/.test(part.trim()) ? Number(part) : undefined))
  if (numbers.includes(undefined))
    throw new InvalidArgumentError('lines are whole numbers from 1, with commas between them.')
  return numbers as number[]
}
