import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Empty } from '../loaded.tsx'
import { useMay } from '../may.ts'
import { NewProduct } from './new-product.tsx'

/** How products come into a project that has none yet. */
export function NoProducts({ project }: { project: number }) {
  const { mayWrite } = useMay()
  return (
    <Empty title="No products yet" action={<NewProduct project={project} />}>
      Products come in through the <Anchor href="/docs#tag/Products">API</Anchor>, by the command “catalog
      import”, which also reads files of other shops
      {mayWrite ? (
        <>
          , from a{' '}
          <Anchor component={Link} to={`/projects/${project}/import`}>
            file
          </Anchor>
          , or one by one here.
        </>
      ) : (
        '.'
      )}
    </Empty>
  )
}
