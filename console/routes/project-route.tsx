import { createRoute, notFound, Outlet } from '@tanstack/react-router'
import { ProblemError } from '../network.ts'
import { MissingPage } from '../pages/missing-page.tsx'
import { openProjectQuery } from '../queries.ts'
import { WebhookBanner } from '../shell/webhook-banner.tsx'
import { idParams } from './id-param.ts'
import { signedIn } from './signed-in.tsx'

export const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId',
  params: idParams('projectId'),
  beforeLoad: async ({ context: { session, queries }, params: { projectId } }) => {
    const known = session.projects.find(({ id }) => id === projectId)
    if (known !== undefined) return { project: known }
    // The session lists only the first projects.
    if (projectId === 0 || session.projects.length === session.project_count) throw notFound()
    return { project: await queries.fetchQuery(openProjectQuery(projectId)).catch(missing) }
  },
  component: ProjectPages,
  // Without this, the root route would show the page without the navigation.
  notFoundComponent: MissingPage,
})

function ProjectPages() {
  const { projectId } = project.useParams()
  return (
    <>
      <WebhookBanner project={projectId} />
      <Outlet />
    </>
  )
}

function missing(error: Error): never {
  throw error instanceof ProblemError && error.status === 404 ? notFound() : error
}
