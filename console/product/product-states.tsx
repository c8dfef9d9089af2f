import { Alert, Anchor, Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Page } from '../parts/page.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import type { ProductDetail } from '../wire.ts'
import styles from './product.module.css'
import { useFollow } from './product-link.tsx'

type WaitingProps = { query: UseQueryResult<ProductDetail>; id: number }

/** What stands where the product will be, in its size. */
export function WaitingForProduct({ query, id }: WaitingProps) {
  return (
    <Page title={`Product ${id}`} lead="Loading…">
      {query.error !== null ? (
        <ProblemAlert error={query.error} retry={() => query.refetch()} />
      ) : (
        <div className={styles.waiting}>
          <Skeleton height={520} radius={12} />
          <Skeleton height={280} radius={12} />
        </div>
      )}
    </Page>
  )
}

export function ChangedMeanwhile({ live }: { live: ProductDetail }) {
  return (
    <Alert color="yellow" className={styles.problem ?? ''} title="Somebody else changed this product">
      It is at version {live.version} now. When you save, both sides are compared.
    </Alert>
  )
}

export function MissingProduct({ project, id }: { project: number; id: number }) {
  const follow = useFollow()
  return (
    <Page title="No such product" lead={`This project has no product ${id}.`}>
      <p>
        <Anchor {...follow(`/projects/${project}/products`)}>See all products</Anchor>
      </p>
    </Page>
  )
}
