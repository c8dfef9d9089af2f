import { Command, Option } from 'commander'
import type { Actor } from '../../access/audit/audit.sql.ts'
import { requireProject } from '../../access/projects/project.sql.ts'
import { jobEnds } from '../../operations/jobs/job-ends.ts'
import { cancelJob, retryJob } from '../../operations/jobs/manage-jobs.ts'
import type { Database } from '../../platform/database/database.ts'
import { type JobState, jobStates, type ListedJob, listJobs } from '../../platform/jobs/job-list.sql.ts'
import { type CommonOptions, command, limitUpTo, parseId, print, withDatabase } from '../command.ts'
import { commandLineActor } from '../command-line-actor.ts'
import { commandLimits } from '../limits.ts'

const { rows: maxLimit, jobRowsByDefault: defaultLimit } = commandLimits
const maxErrorLength = 60

type ListOptions = CommonOptions & { project?: number; kind?: string; state?: JobState; limit: number }

export function jobsCommand(): Command {
  const jobs = new Command('jobs').description('Manage background jobs of all projects and of the service')
  for (const one of [listCommand(), retryCommand(), cancelCommand()]) jobs.addCommand(one)
  return jobs
}

function listCommand(): Command {
  return command('list', 'List background jobs: failed jobs first, then by due time')
    .option('--project <id>', 'Only jobs of this project', parseId)
    .addOption(new Option('--kind <kind>', 'Only jobs of this kind').choices(Object.keys(jobEnds)))
    .addOption(new Option('--state <state>', 'Only jobs in this state').choices(jobStates))
    .option('--limit <count>', `Number of jobs, up to ${maxLimit}`, limitUpTo(maxLimit), defaultLimit)
    .addHelpText(
      'after',
      `
States:
  running  A service is working on the job.
  due      The job starts as soon as a service has a free slot.
  waiting  The job starts at due_at.
  failed   The job has no attempts left.

Examples:
  catalog jobs list --state failed
  catalog jobs list --project 1 --kind proposal.prepare --json`,
    )
    .action(async (options: ListOptions) => {
      const { project, kind, state, limit, json } = options
      const found = await withDatabase(options, async (database) => {
        if (project !== undefined) await requireProject(database, project)
        return listJobs(database, { projectId: project, kind, state }, limit + 1)
      })
      const jobs = found.slice(0, limit)
      print(options, json === true ? jobs : jobs.map(toTableRow))
      if (found.length > limit)
        console.error(
          `showing the first ${limit} jobs; use --limit to show more, or filter by --project, --kind or --state`,
        )
    })
}

function retryCommand(): Command {
  return actCommand('retry', 'Run a failed or waiting job now and reset its attempts', {
    help: `
The running service executes the job. A failed proposal continues where its preparation stopped. A webhook that was
disabled because its deliveries failed is enabled again.`,
    act: retryJob,
  })
}

function cancelCommand(): Command {
  return actCommand('cancel', 'Cancel a job permanently; a running job stops within seconds', {
    help: `
You can cancel two kinds of jobs:
  proposal.prepare  The state of the proposal becomes failed.
  webhook.deliver   The webhook is disabled. No event is lost: "catalog webhook enable" continues where it stopped.`,
    act: async (database, actor, id) => ({ ...(await cancelJob(database, actor, id)), canceled: true }),
  })
}

type Act = {
  help: string
  act: (database: Database, actor: Actor, id: number) => Promise<ListedJob>
}

function actCommand(name: string, description: string, { help, act }: Act): Command {
  return command(name, description)
    .argument('<id>', 'Job ID', parseId)
    .addHelpText('after', `${help}\n\nExample:\n  catalog jobs ${name} 12`)
    .action(async (id: number, options: CommonOptions) =>
      print(options, await withDatabase(options, (database) => act(database, commandLineActor(), id))),
    )
}

/** A table row; --json prints the full job. */
function toTableRow({ id, project_id, kind, key, state, attempts, due_at, last_error }: ListedJob): object {
  const error = last_error?.replace(/\s+/g, ' ')
  const shortened =
    error !== undefined && error.length > maxErrorLength
      ? `${error.slice(0, maxErrorLength - 1).toWellFormed()}…`
      : error
  return {
    id,
    project: project_id,
    kind,
    key: key === '' ? null : key,
    state,
    attempts,
    due_at,
    last_error: shortened,
  }
}
