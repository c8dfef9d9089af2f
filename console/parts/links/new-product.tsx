import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Icon } from '../icons.tsx'
import { usePermissions } from '../permissions.ts'
import { strings } from '../strings.ts'

export function NewProduct({ project }: { project: number }) {
  if (!usePermissions().canWrite) return null
  return (
    <Button
      component={Link}
      to={`/projects/${project}/products/new`}
      leftSection={<Icon name="plus" size={16} />}
    >
      {strings.links.newProduct}
    </Button>
  )
}
