import { userInfo } from 'node:os'
import type { Actor } from '../access/audit/audit.sql.ts'
import type { ChangeAuthor } from '../model/events/record-events.sql.ts'

/** Who acts by command, for the audit trail. */
export function commandLineActor(): Actor {
  try {
    return { name: `command line (${userInfo().username})` }
  } catch {
    // A container may run as a user id that has no name.
    return { name: 'command line' }
  }
}

/** The same, for events. */
export function commandLineAuthor(): ChangeAuthor & { source: 'cli' } {
  return { actor: commandLineActor().name, source: 'cli' }
}
