import { userInfo } from 'node:os'
import type { Actor } from '../audit/audit.sql.ts'

/** Whose name stands in the audit trail for what is done by command. */
export function commandLineActor(): Actor {
  try {
    return { name: `command line (${userInfo().username})` }
  } catch {
    // A container may run as a number that has no name.
    return { name: 'command line' }
  }
}
