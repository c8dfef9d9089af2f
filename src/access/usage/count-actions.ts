import type { FastifyRequest } from 'fastify'
import { collectWrites } from '../../platform/database/batching/collect-writes.ts'
import { authorOf, type Caller } from '../tokens/caller.ts'
import { type ActorActions, addActivity } from './activity.sql.ts'

/** Counts requests that changed something, by project and author, in memory. A flush adds the counts to the database. */
export function countActions() {
  const { add, flush } = collectWrites<ActorActions>(merge, addActivity)
  return {
    /** After a successful write. Previews are writes only by their method, and sign-ins have no project. */
    count({ caller, routeOptions, query }: FastifyRequest): void {
      const { scope = 'any' } = routeOptions.config
      const isDryRun = (query as { dry_run?: boolean } | undefined)?.dry_run === true
      if (caller === undefined || scope === 'any' || scope.endsWith(':read') || isDryRun) return
      add(caller.project_id, new Map([[keyOf(caller), 1]]))
    },
    flush,
  }
}

function keyOf(caller: Caller): string {
  const { source, actor } = authorOf(caller)
  return `${source} ${actor}`
}

function merge(collected: ActorActions, added: ActorActions): ActorActions {
  for (const [key, count] of added) collected.set(key, (collected.get(key) ?? 0) + count)
  return collected
}
