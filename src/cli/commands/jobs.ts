import { Command, Option } from 'commander'
import type { Actor } from '../../access/audit/audit.sql.ts'
import { requireProject } from '../../access/projects/project.sql.ts'
import { jobEnds } from '../../operations/jobs/job-ends.ts'
import { cancelJob, retryJob } from '../../operations/jobs/manage-jobs.ts'
import type { Database } from '../../platform/database/database.ts'
import { type JobState, jobStates, type ListedJob, listJobs } from '../../platform/jobs/job-list.sql.ts'
import { type CommonOptions, command, limitUpTo, parseId, print, withDatabase } from '../command.ts'
import { commandLineActor } from '../command-line-actor.ts'

const mostShown = 500
const usuallyShown = 50
const longestError = 60

type ListOptions = CommonOptions & { project?: number; kind?: string; state?: JobState; limit: number }

export function jobsCommand(): Command {
  const jobs = new Command('jobs').description('background jobs of all projects and of the service')
  for (const one of [listCommand(), retryCommand(), cancelCommand()]) jobs.addCommand(one)
  return jobs
}

function listCommand(): Command {
  return command('list', 'list background jobs: failed ones first, then by due time')
    .option('--project <id>', 'only jobs of this project', parseId)
    .addOption(new Option('--kind <kind>', 'only jobs of this kind').choices(Object.keys(jobEnds)))
    .addOption(new Option('--state <state>', 'only jobs in this state').choices(jobStates))
    .option('--limit <count>', `how many, up to ${mostShown}`, limitUpTo(mostShown), usuallyShown)
    .addHelpText(
      'after',
      `
States: running (a service works on it), due (it starts as soon as a service has a free place), waiting (until due_at),
failed (it ran out of attempts).

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
      print(options, json === true ? jobs : jobs.map(briefly))
      if (found.length > limit)
        console.error(
          `only the first ${limit} jobs are listed; use --limit to list more, or filter by --project, --kind or --state`,
        )
    })
}

function retryCommand(): Command {
  return actCommand('retry', 'run a failed or waiting job now and reset its attempts', {
    help: `
The running service does the work. It continues to prepare a failed proposal where it stopped. A webhook that was disabled
because its deliveries failed is enabled.`,
    act: retryJob,
  })
}

function cancelCommand(): Command {
  return actCommand('cancel', 'end a job permanently; a service that runs it stops within seconds', {
    help: `
If you cancel a proposal.prepare job, its proposal becomes failed. If you cancel a webhook.deliver job, its webhook is
disabled and loses no event: "catalog webhook enable" continues where it stopped. You cannot cancel jobs of other kinds.`,
    act: async (database, actor, id) => ({ ...(await cancelJob(database, actor, id)), canceled: true }),
  })
}

type Act = {
  help: string
  act: (database: Database, actor: Actor, id: number) => Promise<ListedJob>
}

function actCommand(name: string, description: string, { help, act }: Act): Command {
  return command(name, description)
    .argument('<id>', 'id of the job', parseId)
    .addHelpText('after', `${help}\n\nExample:\n  catalog jobs ${name} 12`)
    .action(async (id: number, options: CommonOptions) =>
      print(options, await withDatabase(options, (database) => act(database, commandLineActor(), id))),
    )
}

/** Fits in a table row; --json prints the whole job. */
function briefly({ id, project_id, kind, key, state, attempts, due_at, last_error }: ListedJob): object {
  const error = last_error?.replace(/\s+/g, ' ')
  const shortened =
    error !== undefined && error.length > longestError
      ? `${error.slice(0, longestError - 1).toWellFormed()}…`
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
