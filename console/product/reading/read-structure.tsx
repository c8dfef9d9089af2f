import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { fieldLabel } from '../../../src/model/fields/field-paths.ts'
import { Facts } from '../../parts/facts.tsx'
import { Card } from '../../parts/page.tsx'
import { Picture } from '../../parts/pictures/picture.tsx'
import { firstPicture } from '../../parts/pictures/picture-source.ts'
import type { ProductDetail } from '../../wire.ts'
import { countText } from '../numbers.ts'
import styles from '../product.module.css'
import { ProductLink } from '../product-link.tsx'
import { type NamedProducts, namedProductsQuery } from '../queries.ts'
import { strings } from '../strings.ts'

type Reference = { id: number | null; sku: string; quantity?: number; choice?: string; default?: boolean }

/** Relations to other products, with their names. Without any, nothing is shown. */
export function ReadStructure({ product }: { product: ProductDetail }) {
  const { project, variant_axes } = product
  const lists = listsOf(product)
  const ids = [...lists.values()].flat().map(({ id }) => id)
  const { data: products } = useQuery(namedProductsQuery(project, ids))
  const facts: Record<string, ReactNode> = Object.fromEntries(
    [...lists].map(([field, list]) => [
      fieldLabel(field),
      <ul key={field} className={styles.plain}>
        {list.map((reference) => (
          <li key={`${reference.choice} ${reference.sku}`}>
            <Related {...{ project, reference, products }} />
          </li>
        ))}
      </ul>,
    ]),
  )
  if (variant_axes.length > 0) facts[fieldLabel('variant_axes')] = variant_axes.join(', ')
  if (Object.keys(facts).length === 0) return null
  return (
    <Card title={strings.structure.title}>
      <Facts facts={facts} />
    </Card>
  )
}

/** The lists that are not empty, by field. */
function listsOf({ parent, components, links }: ProductDetail): Map<string, Reference[]> {
  const all: [string, Reference[]][] = [
    ['parent', parent === null ? [] : [parent]],
    ['components', components],
    ...Object.entries(links).map(([kind, list]): [string, Reference[]] => [`links.${kind}`, list]),
  ]
  return new Map(all.filter(([, list]) => list.length > 0))
}

type RelatedProps = { project: number; reference: Reference; products: NamedProducts }

function Related({ project, reference, products }: RelatedProps) {
  const { id, sku, quantity, choice, default: isDefault } = reference
  const product = products?.get(id ?? 0)
  const details = [
    ...(quantity === undefined || quantity === 1 ? [] : [`× ${countText(quantity)}`]),
    ...(choice ? [choice] : []),
    ...(isDefault ? [strings.components.default] : []),
  ]
  return (
    <span className={styles.related}>
      <Picture file={firstPicture(product?.media ?? [])} form="mark" />
      <span>
        <ProductLink project={project} id={id}>
          <bdi>{sku}</bdi>
        </ProductLink>{' '}
        <bdi>{product?.name}</bdi> <span className={styles.small}>{details.join(' · ')}</span>
      </span>
    </span>
  )
}
