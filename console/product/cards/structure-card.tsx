import { TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { fieldLabel } from '../../../src/model/fields/field-paths.ts'
import { productFields } from '../../../src/model/fields/product-fields.ts'
import { Card } from '../../parts/page.tsx'
import type { LinkKind } from '../../wire.ts'
import type { Draft } from '../draft/draft.ts'
import { errorAt, type FieldErrors } from '../draft/field-errors.ts'
import type { Change } from '../draft/use-draft.ts'
import { fieldId } from '../focus-field.ts'
import styles from '../product.module.css'
import { ProductLink } from '../product-link.tsx'
import { type NamedProducts, namedProductsQuery } from '../queries.ts'
import { strings } from '../strings.ts'
import { ComponentRows } from './component-rows.tsx'
import { LinkRows } from './link-rows.tsx'
import { SkuInput } from './sku-input.tsx'

type Props = Pick<Draft, 'product_type' | 'parent' | 'variant_axes' | 'components' | 'links'> & {
  project: number
  fieldErrors: FieldErrors
  change: Change
}

const kinds = Object.keys(productFields.links.parts) as LinkKind[]

/** Relations to other products, by SKU. */
export const StructureCard = memo(function StructureCard(props: Props) {
  const { project, product_type, variant_axes, components, links, fieldErrors, change } = props
  const { data: products } = useQuery(namedProductsQuery(project, referencedIds(props)))
  const hasComponents = product_type === 'bundle' || product_type === 'grouped'
  return (
    <Card title={strings.structure.title} lead={strings.structure.lead}>
      <div className={styles.fields}>
        {product_type !== 'configurable' && <ParentField {...props} products={products} />}
        {(product_type === 'configurable' || variant_axes.length > 0) && (
          <TagsInput
            id={fieldId('variant_axes')}
            label={fieldLabel('variant_axes')}
            description={strings.structure.axesHint}
            value={variant_axes}
            maxTags={5}
            acceptValueOnBlur
            error={errorAt(fieldErrors, 'variant_axes')}
            onChange={(axes) => change('variant_axes', { variant_axes: axes })}
          />
        )}
        {(hasComponents || components.length > 0) && (
          <ComponentRows
            project={project}
            components={components}
            products={products}
            fieldErrors={fieldErrors}
            change={change}
          />
        )}
        {kinds.map((kind) => (
          <LinkRows
            key={kind}
            project={project}
            kind={kind}
            list={links[kind]}
            products={products}
            fieldErrors={fieldErrors}
            change={change}
          />
        ))}
      </div>
    </Card>
  )
})

function referencedIds({ parent, components, links }: Props): (number | null)[] {
  return [parent?.id ?? null, ...[components, ...Object.values(links)].flat().map(({ id }) => id)]
}

function ParentField({
  project,
  parent,
  fieldErrors,
  change,
  products,
}: Props & { products: NamedProducts }) {
  return (
    <SkuInput
      project={project}
      among="product_type=configurable"
      id={fieldId('parent')}
      label={strings.structure.parent}
      description={
        parent?.id == null ? (
          strings.structure.parentHint
        ) : (
          <ProductLink project={project} id={parent.id}>
            {strings.structure.open(parent.sku)}
          </ProductLink>
        )
      }
      value={parent?.sku ?? ''}
      product={products?.get(parent?.id ?? 0)}
      error={errorAt(fieldErrors, 'parent')}
      choose={(sku, id) => change('parent', { parent: sku === '' ? null : { sku, id } })}
    />
  )
}
