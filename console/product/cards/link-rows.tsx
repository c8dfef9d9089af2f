import { Button, Pill } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { fieldLabel } from '../../../src/model/fields/field-paths.ts'
import { Picture } from '../../parts/pictures/picture.tsx'
import { firstPicture } from '../../parts/pictures/picture-source.ts'
import type { LinkKind } from '../../wire.ts'
import type { ReferenceDraft } from '../draft/draft.ts'
import { errorAt, type FieldErrors } from '../draft/field-errors.ts'
import type { Change } from '../draft/use-draft.ts'
import { fieldId, focusField } from '../focus-field.ts'
import styles from '../product.module.css'
import { ProductLink } from '../product-link.tsx'
import type { NamedProducts } from '../queries.ts'
import { strings } from '../strings.ts'
import rows from './rows.module.css'
import { SkuInput } from './sku-input.tsx'

type Props = {
  project: number
  kind: LinkKind
  list: ReferenceDraft[]
  products: NamedProducts
  fieldErrors: FieldErrors
  change: Change
}

/** Links to other products. */
export function LinkRows({ project, kind, list, products, fieldErrors, change }: Props) {
  const [sku, setSku] = useState('')
  const field = `links.${kind}`
  const label = fieldLabel(field)
  const set = (next: ReferenceDraft[]) =>
    change(field, ({ links }) => ({ links: { ...links, [kind]: next } }))
  const add = (wanted = sku.trim(), id: number | null = null) => {
    if (wanted === '' || list.some((one) => one.sku === wanted)) return
    set([...list, { sku: wanted, id }])
    setSku('')
  }
  const remove = (one: ReferenceDraft) => {
    set(list.filter((other) => other !== one))
    focusField(field)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isOptionTaken = event.currentTarget.getAttribute('aria-activedescendant') !== null
    if (event.key !== 'Enter' || isOptionTaken) return
    event.preventDefault()
    add()
  }
  return (
    <fieldset className={rows.group}>
      <legend>{label}</legend>
      {list.length > 0 && (
        <ul className={styles.chips}>
          {list.map((one) => (
            <li key={one.sku}>
              <Pill
                className={rows.pill ?? ''}
                size="md"
                withRemoveButton
                removeButtonProps={{
                  'aria-label': strings.links.remove(one.sku, label),
                  'aria-hidden': false,
                  tabIndex: 0,
                }}
                onRemove={() => remove(one)}
              >
                <span className={rows.pillText}>
                  <Picture file={firstPicture(products?.get(one.id ?? 0)?.media ?? [])} form="mark" />
                  <ProductLink project={project} id={one.id}>
                    <bdi>{one.sku}</bdi>
                  </ProductLink>
                  <bdi className={rows.pillName}>{products?.get(one.id ?? 0)?.name}</bdi>
                </span>
              </Pill>
            </li>
          ))}
        </ul>
      )}
      <div className={rows.addLink}>
        <SkuInput
          project={project}
          id={fieldId(field)}
          aria-label={strings.links.skuToAdd(label)}
          placeholder={strings.links.placeholder}
          value={sku}
          error={errorAt(fieldErrors, field)}
          choose={setSku}
          chosen={add}
          onKeyDown={onKeyDown}
        />
        <Button variant="default" onClick={() => add()}>
          {strings.links.add}
          <span className="unseen"> {strings.links.toList(label)}</span>
        </Button>
      </div>
    </fieldset>
  )
}
