import { Alert, Anchor, Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Page } from '../parts/page.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import type { ProductDetail } from '../wire.ts'
import styles from './product.module.css'
import { useFollow } from './product-link.tsx'
import { strings } from './strings.ts'

type WaitingProps = { query: UseQueryResult<ProductDetail>; id: number }

/** Placeholder of the same size as the product. */
export function ProductSkeleton({ query, id }: WaitingProps) {
  return (
    <Page title={strings.page.productNumber(id)} lead={strings.page.loading}>
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

export function ChangedNotice({ live }: { live: ProductDetail }) {
  return (
    <Alert color="yellow" className={styles.problem ?? ''} title={strings.page.changedTitle}>
      {strings.page.changedText(live.version)}
    </Alert>
  )
}

export function MissingProduct({ project, id }: { project: number; id: number }) {
  const follow = useFollow()
  return (
    <Page title={strings.page.missingTitle} lead={strings.page.missingText(id)}>
      <p>
        <Anchor {...follow(`/projects/${project}/products`)}>{strings.page.allProducts}</Anchor>
      </p>
    </Page>
  )
}
