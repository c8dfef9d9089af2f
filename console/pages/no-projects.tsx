import { Page } from '../parts/page.tsx'
import { strings } from './strings.ts'

export function NoProjectsPage() {
  return (
    <Page title={strings.noProjects.title} lead={strings.noProjects.lead}>
      {null}
    </Page>
  )
}
