import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Empty } from '../loaded.tsx'
import { usePermissions } from '../permissions.ts'
import { strings } from '../strings.ts'
import { NewProduct } from './new-product.tsx'

/** Explains how to add the first products. */
export function NoProducts({ project }: { project: number }) {
  const { canWrite } = usePermissions()
  return (
    <Empty title={strings.noProducts.title} action={<NewProduct project={project} />}>
      {strings.noProducts.use} <Anchor href="/docs#tag/Products">{strings.noProducts.api}</Anchor>{' '}
      {strings.noProducts.command}
      {canWrite && (
        <>
          {' '}
          {strings.noProducts.youCan}{' '}
          <Anchor component={Link} to={`/projects/${project}/import`}>
            {strings.noProducts.importFile}
          </Anchor>{' '}
          {strings.noProducts.create}
        </>
      )}
    </Empty>
  )
}
