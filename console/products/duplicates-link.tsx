import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Icon } from '../parts/icons.tsx'
import { strings } from './strings.ts'

export function DuplicatesLink({ project }: { project: number }) {
  return (
    <Button
      component={Link}
      to={`/projects/${project}/duplicates`}
      variant="default"
      leftSection={<Icon name="copy" size={16} />}
    >
      {strings.page.duplicates}
    </Button>
  )
}
