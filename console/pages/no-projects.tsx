import { Page } from '../parts/page.tsx'

export function NoProjectsPage() {
  return (
    <Page
      title="No projects yet"
      lead="Your account belongs to no project. Ask the operator of this service to add you to one; then load this page again."
    >
      {null}
    </Page>
  )
}
