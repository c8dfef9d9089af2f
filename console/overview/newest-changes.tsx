import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import { NoProducts } from '../parts/links/no-products.tsx'
import { Card } from '../parts/page.tsx'
import { Picture } from '../parts/pictures/picture.tsx'
import { firstPicture } from '../parts/pictures/picture-source.ts'
import { ProblemAlert } from '../parts/problem.tsx'
import { changesShown, newestChangesQuery } from '../queries.ts'
import type { ProductDetail } from '../wire.ts'
import styles from './newest-changes.module.css'
import { strings } from './strings.ts'

/** The products that were updated most recently, with their pictures. */
export function NewestChanges({ project }: { project: number }) {
  const { data, error, refetch } = useQuery(newestChangesQuery(project))
  if (data?.results.length === 0)
    return (
      <Card title={strings.changes.title} flush>
        <NoProducts project={project} />
      </Card>
    )
  return (
    <Card title={strings.changes.title} lead={strings.changes.lead}>
      {error !== null && data === undefined ? (
        <ProblemAlert error={error} retry={() => refetch()} />
      ) : (
        <ul className={styles.products} aria-label={strings.changes.title} aria-busy={data === undefined}>
          {data === undefined
            ? Array.from({ length: changesShown }, (_, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
                <li key={place}>
                  <Picture file={undefined} form="tile" />
                  <div className={styles.text}>
                    <Skeleton height={12} radius="sm" width="80%" />
                  </div>
                </li>
              ))
            : data.results.map((product) => <Changed key={product.id} product={product} />)}
        </ul>
      )}
    </Card>
  )
}

function Changed({ product }: { product: ProductDetail }) {
  const { id, project, name, sku, media, updated_at } = product
  return (
    <li className={styles.product}>
      <Picture file={firstPicture(media)} form="tile" />
      <div className={styles.text}>
        <Link
          to="/projects/$projectId/products/$productId"
          params={{ projectId: project, productId: id }}
          title={strings.changes.named(name, sku)}
          className={styles.name}
        >
          <bdi>{name}</bdi>
        </Link>
        <span className={styles.time}>
          <RelativeTime at={updated_at} />
        </span>
      </div>
    </li>
  )
}
