import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Loaded } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import { Picture } from '../parts/pictures/picture.tsx'
import { firstPicture } from '../parts/pictures/picture-source.ts'
import { ProductLink } from '../product/product-link.tsx'
import { countQuery } from '../queries.ts'
import { CountBars } from './count-bars.tsx'
import { lowShown, lowStockQuery } from './queries.ts'
import styles from './stock-and-activity.module.css'
import { strings } from './strings.ts'

type Props = { project: number; total: number | undefined }

/** Products that are out of stock or low. */
export function StockCard({ project, total }: Props) {
  const out = useQuery({ ...countQuery(project, { in_stock: 'false' }), enabled: total !== undefined })
  const low = useQuery({ ...lowStockQuery(project), enabled: total !== undefined })
  const share = (count: number | undefined) => (count ?? 0) / Math.max(total ?? 0, 1)
  return (
    <Card title={strings.stock.title}>
      <div className={styles.stock}>
        <CountBars
          project={project}
          bars={[
            {
              label: strings.stock.out,
              filter: { in_stock: 'false' },
              count: out.data,
              share: share(out.data),
            },
            {
              label: strings.stock.low,
              filter: { low_stock: 'true' },
              count: low.data?.count,
              share: share(low.data?.count),
            },
          ]}
        />
        <Loaded query={low} rows={lowShown}>
          {({ count, results }) =>
            count === 0 ? (
              <p className={styles.note}>{strings.stock.noneLow}</p>
            ) : (
              <>
                <ul className={styles.low} aria-label={strings.stock.lowList}>
                  {results.map(({ id, sku, name, media }) => (
                    <li key={id} title={strings.stock.product(name, sku)}>
                      <Picture file={firstPicture(media)} form="mark" />
                      <span className={styles.lowName}>
                        <ProductLink project={project} id={id}>
                          <bdi>{name}</bdi>
                        </ProductLink>
                      </span>
                    </li>
                  ))}
                </ul>
                {count > results.length && (
                  <Link
                    to="/projects/$projectId/products"
                    params={{ projectId: project }}
                    search={{ low_stock: 'true' }}
                    className={styles.all ?? ''}
                  >
                    {strings.stock.allLow}
                  </Link>
                )}
              </>
            )
          }
        </Loaded>
      </div>
    </Card>
  )
}
