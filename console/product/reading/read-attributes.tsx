import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { fieldText } from '../../parts/numbers/read-number.ts'
import { Card } from '../../parts/page.tsx'
import type { AttributeValue, ProductDetail } from '../../wire.ts'
import { AttributeGroups } from '../cards/attribute-groups.tsx'
import styles from '../product.module.css'
import { WrittenBy } from '../provenance.tsx'
import { definitionsQuery } from '../queries.ts'
import { strings } from '../strings.ts'
import { ValueText, valueText } from '../value-text.tsx'

/** The attributes of a product as text, with the labels and units of their definitions. */
export function ReadAttributes({ product }: { product: ProductDetail }) {
  const { project, attributes, provenance } = product
  const { data } = useQuery(definitionsQuery(project))
  const defined = useMemo(() => new Map(data?.results.map((one) => [one.name, one])), [data])
  const entries = Object.entries(attributes)
  return (
    <Card title={strings.attributes.title}>
      {entries.length === 0 ? (
        <p className={styles.note}>{strings.attributes.none}</p>
      ) : (
        <AttributeGroups attributes={entries} defined={defined}>
          {(name, value) => (
            <li key={name}>
              <div className={styles.label}>
                <bdi>{defined.get(name)?.label ?? name}</bdi>
              </div>
              <ValueText value={textOf(value, defined.get(name)?.unit)} />
              <p className={styles.note}>
                <WrittenBy provenance={provenance} field={`attributes.${name}`} />
              </p>
            </li>
          )}
        </AttributeGroups>
      )}
    </Card>
  )
}

/** Numbers in the reader's locale. */
function textOf(value: AttributeValue, unit: string | null | undefined): string {
  const texts = [value].flat().map((one) => (typeof one === 'number' ? fieldText(one) : valueText(one)))
  const text = texts.join(', ')
  return unit && text !== '' ? `${text} ${unit}` : text
}
