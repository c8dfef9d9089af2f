import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { Type } from 'typebox'
import { requireProject } from '../../access/projects/project.sql.ts'
import type { CatalogEvent } from '../../delivery/events/event.schema.ts'
import { numberCommitted, numberEvents } from '../../delivery/events/number-events.sql.ts'
import { readEvents } from '../../delivery/events/read-events.sql.ts'
import { matchingTypes, typePatterns } from '../../delivery/events/type-patterns.ts'
import { type Cursor, parseCursor } from '../../model/events/cursor.ts'
import { findFeedHead } from '../../model/events/feed-position.sql.ts'
import { scopes } from '../../model/scopes.ts'
import type { Database } from '../../platform/database/database.ts'
import { checkInput, withPlainErrors } from '../../platform/http/body/check-input.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { escapeControlCharacters } from '../../platform/terminal/escape-control-characters.ts'
import { type CommonOptions, command, parseId, withDatabase } from '../command.ts'
import { commandLimits } from '../limits.ts'
import { Interrupted } from '../signals.ts'

type TailOptions = CommonOptions & { project: number; after?: string; types?: string[] }

const TypesSchema = Type.Object({ types: Type.Array(OneOf(typePatterns)) })

export function eventsCommand(): Command {
  const tail = command('tail', 'Print project events as they occur, until Ctrl-C')
    .requiredOption('--project <id>', 'Project ID', parseId)
    .option(
      '--after <cursor>',
      'Start after this cursor; 0 starts with the oldest event (default: only new events)',
    )
    .option('--types <list>', 'Only these event types, such as product.*,category.created', (text) =>
      text.split(',').map((type) => type.trim()),
    )
    .addHelpText(
      'after',
      `
Prints one line per event. With --json, prints the event as the API returns it, including its cursor.

Examples:
  catalog events tail --project 1
  catalog events tail --project 1 --after 0 --types product.created,proposal.*
  catalog events tail --project 1 --json | jq .data.sku`,
    )
    .action(async (options: TailOptions) => {
      try {
        await withDatabase(options, (database) => withPlainErrors(tailEvents(database, options)))
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error
        // Ctrl-C is the normal way to stop.
        process.exitCode = 0
      }
    })
  return new Command('events').description('Read the event feed').addCommand(tail)
}

async function tailEvents(database: Database, options: TailOptions): Promise<void> {
  const { project, json = false } = options
  await requireProject(database, project)
  const types =
    options.types && matchingTypes(checkInput(TypesSchema, { types: options.types }).types as string[])
  const start = await startOf(database, options)
  async function* texts() {
    for (let after = start; ; ) {
      await numberEvents(database)
      const { results, cursor, head } = await readEvents(database, project, {
        ...{ after, types, scopes },
        ...{ limit: commandLimits.eventRows, mostBytes: commandLimits.eventBytes },
      })
      for (const event of results) yield `${json ? JSON.stringify(event) : formatEvent(event)}\n`
      after = parseCursor(cursor) as Cursor
      if (cursor === head) await sleep(commandLimits.eventPauseMilliseconds)
    }
  }
  // A slow reader slows down the reads. The pipeline must not close standard output.
  await pipeline(texts, process.stdout, { end: false })
}

async function startOf(database: Database, { project, after }: TailOptions): Promise<Cursor> {
  await numberCommitted(database)
  if (after === undefined) return findFeedHead(database, project)
  const cursor = parseCursor(after)
  if (cursor === undefined) throw new Error('--after must be 0 or an event cursor')
  return cursor
}

function formatEvent({ timestamp, type, actor, source, data }: CatalogEvent): string {
  const { object, id, sku, version, before, after } = data
  const name = sku ?? `${object} ${id}`
  const fields = Object.keys(after ?? before ?? {}).join(', ')
  const parts = [
    timestamp,
    type,
    version === null ? name : `${name} v${version}`,
    `by ${actor} (${source})`,
    fields,
  ]
  return escapeControlCharacters(parts.filter((part) => part !== '').join('  '))
}
