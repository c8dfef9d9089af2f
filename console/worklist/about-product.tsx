import type { ReactNode } from 'react'
import { priceText } from '../parts/format/price-text.ts'
import { Card } from '../parts/page.tsx'
import { Picture } from '../parts/pictures/picture.tsx'
import { firstPicture } from '../parts/pictures/picture-source.ts'
import product from '../product/product.module.css'
import { typeLabels } from '../products/filter-labels.ts'
import type { ProductDetail } from '../wire.ts'
import { strings } from './strings.ts'
import styles from './worklist.module.css'

const longest = 400

/** Product data that helps to fill in the field. */
export function AboutProduct({ product: own }: { product: ProductDetail }) {
  const picture = firstPicture(own.media)
  const { price, currency, product_type, categories, attributes, quality_score } = own
  return (
    <Card title={strings.about.title}>
      {picture !== undefined && (
        <div className={styles.picture}>
          <Picture file={picture} form="tile" alt={picture.alt ?? ''} />
        </div>
      )}
      <dl className={styles.facts}>
        <Fact name={strings.about.type}>{typeLabels[product_type]}</Fact>
        <Fact name={strings.about.price}>{price !== null && priceText(price, currency)}</Fact>
        <Fact name={strings.about.categories}>{categories.map(({ name }) => name).join(', ')}</Fact>
        <Fact name={strings.about.attributes}>{shortened(attributeText(attributes))}</Fact>
        <Fact name={strings.about.shortDescription}>{shortened(own.short_description)}</Fact>
        <Fact name={strings.about.description}>{shortened(own.description)}</Fact>
        <Fact name={strings.about.score}>
          {strings.about.scoreAndGrade(quality_score.score, quality_score.grade)}
        </Fact>
      </dl>
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  const isEmpty = children === '' || children === false
  return (
    <div>
      <dt>{name}</dt>
      <dd>{isEmpty ? <span className={product.none}>{strings.about.none}</span> : <bdi>{children}</bdi>}</dd>
    </div>
  )
}

function attributeText(attributes: ProductDetail['attributes']): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}: ${[value].flat().join(', ')}`)
    .join('\n')
}

function shortened(text: string): string {
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text
}
