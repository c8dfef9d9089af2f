import { Button, Checkbox, TextInput } from '@mantine/core'
import { Icon } from '../../parts/icons.tsx'
import type { ProductDetail } from '../../wire.ts'
import type { ComponentDraft } from '../draft/draft.ts'
import { errorUnder, type FieldErrors } from '../draft/field-errors.ts'
import type { Change } from '../draft/use-draft.ts'
import { fieldId, focusField } from '../focus-field.ts'
import styles from '../product.module.css'
import { ProductLink } from '../product-link.tsx'
import type { NamedProducts } from '../queries.ts'
import { strings } from '../strings.ts'
import { RowButton } from './row-button.tsx'
import rows from './rows.module.css'
import { SkuInput } from './sku-input.tsx'

type Props = {
  project: number
  components: ComponentDraft[]
  products: NamedProducts
  fieldErrors: FieldErrors
  change: Change
}

const empty: ComponentDraft = { sku: '', id: null, quantity: '1', choice: '', isDefault: false }

/** The components of a bundle or group, in order. */
export function ComponentRows({ project, components, products, fieldErrors, change }: Props) {
  const set = (next: ComponentDraft[]) => change('components', { components: next })
  const remove = (index: number) => {
    set(components.filter((_, place) => place !== index))
    focusField('components')
  }
  return (
    <fieldset className={rows.group}>
      <legend>{strings.components.title}</legend>
      {fieldErrors['/components'] !== undefined && (
        <p className={styles.fieldError}>{fieldErrors['/components']}</p>
      )}
      {components.map((component, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a SKU is edited in its place, and two may be the same
        <div key={index} className={rows.component}>
          <ComponentFields
            project={project}
            component={component}
            product={products?.get(component.id ?? 0)}
            place={index + 1}
            fieldError={errorUnder(fieldErrors, `/components/${index}`)}
            change={(next) => set(components.map((one, place) => (place === index ? next : one)))}
          />
          <RowButton icon="cross" label={strings.components.remove(index + 1)} run={() => remove(index)} />
        </div>
      ))}
      <Button
        id={fieldId('components')}
        variant="default"
        size="xs"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => set([...components, empty])}
      >
        {strings.components.add}
      </Button>
    </fieldset>
  )
}

type FieldsProps = {
  project: number
  component: ComponentDraft
  product: ProductDetail | undefined
  place: number
  fieldError: string | undefined
  change: (component: ComponentDraft) => void
}

function ComponentFields({ project, component, product, place, fieldError, change }: FieldsProps) {
  return (
    <>
      <SkuInput
        project={project}
        among="product_type__in=simple,virtual"
        label={strings.components.sku}
        aria-label={strings.components.skuOf(place)}
        value={component.sku}
        product={product}
        error={fieldError}
        className={rows.sku ?? ''}
        rightSection={
          <ProductLink project={project} id={component.id}>
            {component.id !== null && <OpenMark sku={component.sku} />}
          </ProductLink>
        }
        choose={(sku, id) => change({ ...component, sku, id })}
      />
      <TextInput
        label={strings.components.quantity}
        aria-label={strings.components.quantityOf(place)}
        inputMode="numeric"
        className={rows.quantity ?? ''}
        value={component.quantity}
        onChange={({ currentTarget }) => change({ ...component, quantity: currentTarget.value })}
      />
      <TextInput
        label={strings.components.choice}
        aria-label={strings.components.choiceOf(place)}
        placeholder={strings.components.noChoice}
        className={rows.choice ?? ''}
        value={component.choice}
        onChange={({ currentTarget }) => change({ ...component, choice: currentTarget.value })}
      />
      <Checkbox
        label={strings.components.default}
        className={rows.box ?? ''}
        aria-label={strings.components.isDefault(place)}
        checked={component.isDefault}
        onChange={({ currentTarget }) => change({ ...component, isDefault: currentTarget.checked })}
      />
    </>
  )
}

function OpenMark({ sku }: { sku: string }) {
  return (
    <span className={rows.open}>
      <Icon name="arrowRight" size={16} />
      <span className="unseen">{strings.components.open(sku)}</span>
    </span>
  )
}
