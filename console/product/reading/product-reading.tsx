import { fieldLabel } from '../../../src/model/fields/field-paths.ts'
import { Facts } from '../../parts/facts.tsx'
import { Card } from '../../parts/page.tsx'
import type { ProductDetail } from '../../wire.ts'
import { Levels } from '../cards/inventory-card.tsx'
import { mainRows } from '../cards/main-card.tsx'
import { QualityCard } from '../cards/quality-card.tsx'
import { VariantsCard } from '../cards/variants-card.tsx'
import { Gallery } from '../media/gallery.tsx'
import { countText } from '../numbers.ts'
import styles from '../product.module.css'
import { WrittenBy } from '../provenance.tsx'
import { strings } from '../strings.ts'
import { ValueText } from '../value-text.tsx'
import { MainValue } from './main-value.tsx'
import { ReadAttributes } from './read-attributes.tsx'
import { ReadStructure } from './read-structure.tsx'

/** A product as text, for users who cannot change it. Shows the same cards as the form, in the same order. */
export function ProductReading({ product }: { product: ProductDetail }) {
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <Card title={strings.media.title}>
          <Gallery media={product.media} />
        </Card>
        <Card title={strings.main.title}>
          <Facts facts={mainFacts(product)} />
        </Card>
        <ReadAttributes product={product} />
        {product.product_type === 'configurable' && <VariantsCard product={product} />}
        <ReadStructure product={product} />
      </div>
      <div className={styles.column}>
        <QualityCard project={product.project} product={product.id} quality={product.quality_score} />
        <ReadCategories product={product} />
        <ReadInventory product={product} />
      </div>
    </div>
  )
}

function mainFacts(product: ProductDetail) {
  return Object.fromEntries(
    mainRows.flat().map((field) => [
      fieldLabel(field),
      <>
        <MainValue product={product} field={field} />
        <p className={styles.note}>
          <WrittenBy provenance={product.provenance} field={field} />
        </p>
      </>,
    ]),
  )
}

function ReadCategories({ product: { categories, provenance } }: { product: ProductDetail }) {
  return (
    <Card title={strings.categories.title}>
      {categories.length === 0 ? (
        <p className={styles.note}>{strings.categories.none}</p>
      ) : (
        <ul className={styles.plain} aria-label={strings.categories.list}>
          {categories.map(({ id, name }) => (
            <li key={id}>
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
      )}
      <p className={styles.note}>
        <WrittenBy provenance={provenance} field="categories" />
      </p>
    </Card>
  )
}

function ReadInventory({ product }: { product: ProductDetail }) {
  const { inventory } = product
  if (inventory === undefined) return null
  const { low_stock_threshold: threshold, backorders, computed } = inventory
  return (
    <Card title={strings.inventory.title}>
      <div className={styles.fields}>
        <Levels product={product} inventory={inventory} />
        {computed !== true && (
          <Facts
            facts={{
              [fieldLabel('inventory.backorders')]: <ValueText value={backorders} />,
              [fieldLabel('inventory.low_stock_threshold')]: (
                <ValueText value={threshold === null ? null : countText(threshold)} />
              ),
            }}
          />
        )}
      </div>
    </Card>
  )
}
