import { Command, Option } from 'commander'
import { changeRun, type RunChange } from '../../../catalog/runs/change-run.ts'
import { type CallState, callStates, type Run } from '../../../catalog/runs/run.schema.ts'
import { listRuns, requireRun, showRun } from '../../../catalog/runs/run.sql.ts'
import { listCalls } from '../../../catalog/runs/run-call.sql.ts'
import { type RunState, runStates } from '../../../catalog/runs/run-states.ts'
import { parseId, print } from '../../command.ts'
import { commandLineAuthor } from '../../command-line-actor.ts'
import { commandLimits } from '../../limits.ts'
import { allRows, commandWithProject, type ProjectOptions, withProject } from '../../project-command.ts'
import { printRun } from './print-run.ts'
import { parseAmount, startCommand } from './start-run.ts'

export function runCommand(): Command {
  const run = new Command('run').description('Run prompts with AI models, and control these runs')
  for (const one of [startCommand(), listCommand(), showCommand(), callsCommand()]) run.addCommand(one)
  for (const [action, description] of actions) run.addCommand(actionCommand(action, description))
  run.addCommand(raiseCommand())
  return run
}

function listCommand(): Command {
  return commandWithProject('list', 'List runs, newest first')
    .addOption(new Option('--state <state>', 'Only runs in this state').choices(runStates))
    .addHelpText('after', '\nExample:\n  catalog run list --project 1 --state waiting')
    .action(async (options: ProjectOptions & { state?: RunState }) => {
      const { results } = await withProject(options, (database) =>
        listRuns(database, options.project, options, allRows),
      )
      print(options, options.json === true ? results : results.map(toTableRow))
    })
}

function toTableRow({ id, state, reason, prompt, model, products, done, failed, cost }: Run): object {
  return { id, state, reason, prompt, model, products, done, failed, spent: `${cost.spent} ${cost.currency}` }
}

function commandWithRun(name: string, description: string): Command {
  return commandWithProject(name, description).argument('<run>', 'Run ID', parseId)
}

function showCommand(): Command {
  return commandWithRun('show', 'Show a run and its progress')
    .addHelpText('after', '\nExample:\n  catalog run show 3 --project 1')
    .action(async (id: number, options: ProjectOptions) => {
      const run = await withProject(options, (database) =>
        requireRun(database, { projectId: options.project, id }),
      )
      printRun(options, showRun(run))
    })
}

function callsCommand(): Command {
  return commandWithRun('calls', 'List the calls of a run, with errors and costs')
    .addOption(new Option('--state <state>', 'Only calls in this state').choices(callStates))
    .addHelpText('after', '\nExample:\n  catalog run calls 3 --project 1 --state failed')
    .action(async (id: number, options: ProjectOptions & { state?: CallState }) => {
      const key = { projectId: options.project, id }
      const { results } = await withProject(options, async (database) => {
        await requireRun(database, key)
        return listCalls(
          database,
          key,
          options,
          { number: 1, size: commandLimits.rows },
          Number.MAX_SAFE_INTEGER,
        )
      })
      const rows = results.map(({ values: _values, tokens, flags, ...call }) => ({
        ...call,
        ...{ input: tokens.input, output: tokens.output, flags: flags.join(' ') },
      }))
      print(options, options.json === true ? results : rows)
    })
}

const actions = [
  ['continue', 'Continue a run after its sample, a pause or a stop at its budget'],
  ['pause', 'Pause a run after the calls in progress'],
  ['cancel', 'Cancel a run after the calls in progress; its proposals stay'],
] as const

function actionCommand(action: Exclude<RunChange['action'], 'raise'>, description: string): Command {
  return commandWithRun(action, description)
    .addHelpText('after', `\nExample:\n  catalog run ${action} 3 --project 1`)
    .action((id: number, options: ProjectOptions) => change(id, options, { action }))
}

function raiseCommand(): Command {
  return commandWithRun('raise', 'Raise the budget of a run. A run that stopped at its budget continues')
    .requiredOption('--amount <amount>', 'New budget in total', parseAmount)
    .addHelpText('after', '\nExample:\n  catalog run raise 3 --project 1 --amount 10')
    .action((id: number, options: ProjectOptions & { amount: number }) =>
      change(id, options, { action: 'raise', amount: options.amount }),
    )
}

async function change(id: number, options: ProjectOptions, wanted: RunChange): Promise<void> {
  const changing = { projectId: options.project, id, author: commandLineAuthor() }
  const run = await withProject(options, (database) => changeRun(database, changing, wanted))
  printRun(options, showRun(run))
}
