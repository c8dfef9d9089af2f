import { changeProject, createProject } from '../../src/access/projects/manage-project.ts'
import { issueToken } from '../../src/access/tokens/manage-token.ts'
import { createUser } from '../../src/access/users/manage-user.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { knownPassword, openSession } from '../console-user.ts'
import type { Access } from './client.ts'
import { currencyOf } from './writes/project-writes.ts'

const actor = { name: 'tester' }

/** New projects without a rate limit, and the session of a user per reader, because each user has a rate limit. */
export async function openAccess(
  database: Database,
  count: { projects: number; readers: number },
): Promise<{ shops: Access[]; cookies: string[] }> {
  const projects: number[] = []
  for (let place = 0; place < count.projects; place += 1) {
    const project = { name: 'Fresh', plan: 'enterprise', currency: currencyOf(0) }
    const { id } = await createProject(database, actor, project)
    await changeProject(database, actor, id, { rateLimit: 'none' })
    projects.push(id)
  }
  const memberships = projects.map((project_id) => ({ project_id, role: 'manager' }) as const)
  const cookies: string[] = []
  for (let reader = 0; reader < count.readers; reader += 1) {
    const user = { email: `reader-${projects[0]}-${reader}@test.example`, operator: false, memberships }
    const { id } = await createUser(database, actor, user, await knownPassword())
    cookies.push(await openSession(database, id))
  }
  const shops = projects.map(async (project) => {
    const { token } = await issueToken(database, actor, project, {})
    return { project, token, cookie: cookies[0] as string }
  })
  return { shops: await Promise.all(shops), cookies }
}
