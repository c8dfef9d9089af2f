import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { maxCompared } from '../compare/search.ts'
import { Tag } from '../parts/badges.tsx'
import { priceText } from '../parts/format/price-text.ts'
import { Icon } from '../parts/icons.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { Picture } from '../parts/pictures/picture.tsx'
import { firstPicture } from '../parts/pictures/picture-source.ts'
import { ProductStatusTag } from '../parts/product-status.tsx'
import { ProductLink } from '../product/product-link.tsx'
import type { DuplicateGroup } from '../wire.ts'
import styles from './duplicates.module.css'
import { strings } from './strings.ts'
import { useArchive } from './use-archive.ts'

type Props = { project: number; group: DuplicateGroup }

/** Products that are probably the same, with the reason. */
export function DuplicateGroupItem({ project, group: { reason, value, count, products } }: Props) {
  // The zeros that fill up a GTIN are on no package.
  const title = reason === 'same_gtin' ? value.replace(/^0+/, '') : value
  const ids = products.slice(0, maxCompared).map(({ id }) => id)
  return (
    <li className={styles.group}>
      <div className={styles.head}>
        <Tag tone={reason === 'close_name' ? 'yellow' : 'accent'}>{strings.reasons[reason]}</Tag>
        <h2 className={styles.value}>
          <bdi>{title}</bdi>
        </h2>
        <Button
          component={Link}
          to={`/projects/${project}/compare`}
          search={{ ids: ids.join(',') } as never}
          variant="default"
          size="xs"
          aria-label={strings.compareGroup(title)}
          leftSection={<Icon name="columns" size={15} />}
        >
          {strings.compare}
        </Button>
      </div>
      <ul className={styles.products}>
        {products.map((product) => (
          <DuplicateItem key={product.id} project={project} product={product} />
        ))}
      </ul>
      {count > products.length && <p className={styles.more}>{strings.more(count - products.length)}</p>}
    </li>
  )
}

type ItemProps = { project: number; product: DuplicateGroup['products'][number] }

function DuplicateItem({ project, product }: ItemProps) {
  const { id, sku, name, price, currency, status, media } = product
  const { canWrite } = usePermissions()
  const archive = useArchive(project)
  return (
    <li className={styles.product}>
      <Picture file={firstPicture(media)} form="line" />
      <div className={styles.about}>
        <ProductLink project={project} id={id}>
          <bdi>{name}</bdi>
        </ProductLink>
        <span className={styles.facts}>
          <bdi>{sku}</bdi>
          <span>{price === null ? strings.noPrice : priceText(price, currency)}</span>
          <ProductStatusTag status={status} />
        </span>
      </div>
      {canWrite && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          loading={archive.isPending}
          aria-label={strings.archiveProduct(sku)}
          onClick={() => archive.mutate(product)}
        >
          {strings.archive}
        </Button>
      )}
    </li>
  )
}
