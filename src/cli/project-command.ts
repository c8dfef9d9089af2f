import type { Command } from 'commander'
import { requireProject } from '../access/projects/project.sql.ts'
import type { Database } from '../platform/database/database.ts'
import { withPlainErrors } from '../platform/http/body/check-input.ts'
import { type CommonOptions, command, parseId, withDatabase } from './command.ts'

export type ProjectOptions = CommonOptions & { project: number }

/** The page that holds all rows, for lists that a command prints in full. */
export const allRows = { number: 1, size: 2 ** 31 - 1 }

/** A command that works on one project. */
export function commandWithProject(name: string, description: string): Command {
  return command(name, description).requiredOption('--project <id>', 'Project ID', parseId)
}

/** Runs work on the database after it has checked that the project exists. */
export function withProject<Result>(
  options: ProjectOptions,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  return withDatabase(options, async (database) => {
    await requireProject(database, options.project)
    return withPlainErrors(work(database))
  })
}
