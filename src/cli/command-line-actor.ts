import { userInfo } from 'node:os'
import type { Actor } from '../access/audit/audit.sql.ts'
import type { ChangeAuthor } from '../model/events/record-events.sql.ts'

/** The actor that the audit trail records for commands. */
export function commandLineActor(): Actor {
  try {
    return { name: `command line (${userInfo().username})` }
  } catch {
    // A container may run as a user ID without a name.
    return { name: 'command line' }
  }
}

/** The same actor, for events. */
export function commandLineAuthor(): ChangeAuthor & { source: 'cli' } {
  return { actor: commandLineActor().name, source: 'cli' }
}
