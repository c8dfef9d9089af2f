import type { Uploads } from '../../parts/uploads/use-uploads.ts'
import type { ProductDetail } from '../../wire.ts'
import type { Draft } from '../draft/draft.ts'
import type { CardProps } from '../draft/use-draft.ts'
import { MediaCard } from '../media/media-card.tsx'
import styles from '../product.module.css'
import { strings } from '../strings.ts'
import { AttributesCard } from './attributes-card.tsx'
import { CategoriesCard } from './categories-card.tsx'
import { InventoryCard } from './inventory-card.tsx'
import { MainCard } from './main-card.tsx'
import { type MainName, mainNames } from './main-field.tsx'
import { QualityCard } from './quality-card.tsx'
import { StructureCard } from './structure-card.tsx'
import { VariantsCard } from './variants-card.tsx'

type Props = CardProps & {
  project: number
  currency: string
  uploads: Uploads
  /** The stored product; undefined for a new one. */
  product?: ProductDetail
}

const nothing = {}

/** Passed one by one, so that the card renders again only if one of them changes. */
function mainValues(draft: Draft): Pick<Draft, MainName> {
  return Object.fromEntries(mainNames.map((name) => [name, draft[name]])) as Pick<Draft, MainName>
}

/** All cards of a product. */
export function ProductFields({ draft, fieldErrors, change, project, currency, product, uploads }: Props) {
  const provenance = product?.provenance ?? nothing
  const { product_type, parent, variant_axes, components, links } = draft
  const common = { project, fieldErrors, change }
  return (
    <fieldset aria-label={strings.main.fields} className={styles.columns}>
      <div className={styles.column}>
        <MediaCard {...common} media={draft.media} uploads={uploads} />
        <MainCard {...mainValues(draft)} {...{ fieldErrors, change, provenance, currency }} />
        <AttributesCard {...common} attributes={draft.attributes} provenance={provenance} />
        {product !== undefined && product.product_type === 'configurable' && (
          <VariantsCard product={product} />
        )}
        <StructureCard {...common} {...{ product_type, parent, variant_axes, components, links }} />
      </div>
      <div className={styles.column}>
        {product !== undefined && (
          <QualityCard project={product.project} product={product.id} quality={product.quality_score} />
        )}
        <CategoriesCard {...common} categories={draft.categories} provenance={provenance} />
        <InventoryCard
          {...(product !== undefined && { product })}
          stock={draft.inventory}
          fieldErrors={fieldErrors}
          change={change}
        />
      </div>
    </fieldset>
  )
}
