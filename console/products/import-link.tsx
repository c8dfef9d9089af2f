import { Button } from '@mantine/core'
import { Link, useRouteContext } from '@tanstack/react-router'
import { Icon } from '../parts/icons.tsx'
import { strings } from './strings.ts'

/** Hidden from viewers, who cannot propose changes. */
export function ImportLink({ project: id }: { project: number }) {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  if (project.role === 'viewer') return null
  return (
    <Button
      component={Link}
      to={`/projects/${id}/import`}
      variant="default"
      leftSection={<Icon name="upload" size={16} />}
    >
      {strings.page.import}
    </Button>
  )
}
