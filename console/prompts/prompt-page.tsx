import { useQuery } from '@tanstack/react-query'
import { useParams, useRouteContext } from '@tanstack/react-router'
import { ProblemError } from '../network.ts'
import { MissingPage } from '../pages/missing-page.tsx'
import { BackLink } from '../parts/links/back-link.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { PromptEditor } from './edit/prompt-editor.tsx'
import { NewPrompt } from './new-prompt.tsx'
import { NoPromptPermission } from './no-permission.tsx'
import { promptQuery } from './queries.ts'
import { strings } from './strings.ts'

export function PromptPage() {
  const { projectId, promptId } = useParams({ from: '/signed-in/projects/$projectId/prompts/$promptId' })
  const query = useQuery(promptQuery(projectId, promptId))
  if (query.error instanceof ProblemError && query.error.status === 404) return <MissingPage />
  return (
    <>
      <BackLink to={`/projects/${projectId}/prompts`} list={strings.list.title} />
      {query.data === undefined ? (
        <Page title={strings.page.unnamed(promptId)} lead={strings.page.loading}>
          <Loaded query={query} rows={12}>
            {() => null}
          </Loaded>
        </Page>
      ) : (
        <PromptEditor key={promptId} project={projectId} prompt={query.data} />
      )}
    </>
  )
}

export function NewPromptPage() {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  return (
    <>
      <BackLink to={`/projects/${project.id}/prompts`} list={strings.list.title} />
      <Page title={strings.create.title} lead={strings.create.lead}>
        {usePermissions().canWrite ? <NewPrompt project={project.id} /> : <NoPromptPermission />}
      </Page>
    </>
  )
}
