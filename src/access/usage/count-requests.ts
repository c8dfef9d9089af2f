import { collectWrites } from '../../platform/database/batching/collect-writes.ts'
import { addUsage } from './usage.sql.ts'

/** Counts API requests per project in memory. A flush adds the counts to the database. */
export function countRequests() {
  const { add, flush } = collectWrites<number>((sum, requests) => sum + requests, addUsage)
  return { count: (projectId: number) => add(projectId, 1), flush }
}
