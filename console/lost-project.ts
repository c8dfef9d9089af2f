import type { QueryClient } from '@tanstack/react-query'
import { signOut } from './changes.ts'
import { ProblemError, read } from './network.ts'
import { openProjectQuery, sessionQuery } from './queries.ts'
import { rememberSignedIn } from './session.ts'
import type { Session } from './wire.ts'

/**
 * A removed member gets 404 for everything in the project. The page then opens the remaining projects, or the sign-in page if there
 * are none, instead of showing what it has loaded before.
 */
export async function leaveLostProject(queries: QueryClient, error: Error): Promise<void> {
  if (!(error instanceof ProblemError) || error.status !== 404) return
  const id = Number(/^\/projects\/(\d+)/.exec(location.pathname)?.[1])
  if (!wasOpen(queries, id) || (await isOpen(id))) return
  const { project_count, user } = await read<Session>('/console/api/session')
  if (project_count > 0 || user.operator) return location.assign('/')
  await signOut()
  rememberSignedIn(false)
  location.assign('/sign-in')
}

/** The page of a project that never existed reports this itself. */
function wasOpen(queries: QueryClient, id: number): boolean {
  const known = queries.getQueryData(sessionQuery.queryKey)?.projects.some((project) => project.id === id)
  return known === true || queries.getQueryData(openProjectQuery(id).queryKey) !== undefined
}

function isOpen(id: number): Promise<boolean> {
  return read(`/console/api/projects/${id}`).then(
    () => true,
    (error) => !(error instanceof ProblemError && error.status === 404),
  )
}
