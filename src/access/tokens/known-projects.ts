import { boundedMap } from '../../platform/bounded-map.ts'
import type { Credentials } from './token.sql.ts'

const maxRememberedProjects = 10_000

/**
 * Remembers the project of each token, which never changes. `take` returns it for as many requests as the rate limit last had left:
 * further requests will most likely be rejected and must not cost a read.
 */
export function rememberProjects() {
  const remembered = boundedMap<string, { id: number; requestsLeft: number }>(maxRememberedProjects)
  return {
    has: remembered.has,
    idOf: (hash: string): number | undefined => remembered.get(hash)?.id,
    take(hash: string): number | undefined {
      const project = remembered.get(hash)
      if (project === undefined || project.requestsLeft < 1) return undefined
      project.requestsLeft -= 1
      return project.id
    },
    remember({ hash, project_id }: Credentials): { requestsLeft: number } {
      const known = remembered.get(hash)
      if (known !== undefined) return known
      const project = { id: project_id, requestsLeft: 0 }
      remembered.set(hash, project)
      return project
    },
    forget: remembered.delete,
  }
}
