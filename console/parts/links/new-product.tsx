import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Icon } from '../icons.tsx'
import { useMay } from '../may.ts'
import { strings } from '../strings.ts'

export function NewProduct({ project }: { project: number }) {
  if (!useMay().mayWrite) return null
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
