import { Button, Checkbox, TextInput } from '@mantine/core'
import { Icon } from '../parts/icons.tsx'
import type { ComponentDraft } from './draft.ts'
import { type Faults, faultUnder } from './faults.ts'
import { fieldId } from './field-names.ts'
import { RowButton } from './media-card.tsx'
import styles from './product.module.css'
import { ProductLink } from './product-link.tsx'
import rows from './rows.module.css'
import type { Change } from './use-draft.ts'

type Props = { project: number; components: ComponentDraft[]; faults: Faults; change: Change }

const empty: ComponentDraft = { sku: '', id: null, quantity: '1', choice: '', isDefault: false }

/** What a bundle or group consists of, in its order. */
export function ComponentRows({ project, components, faults, change }: Props) {
  const set = (next: ComponentDraft[]) => change('components', { components: next })
  return (
    <fieldset className={rows.group}>
      <legend>Components</legend>
      {faults['/components'] !== undefined && <p className={styles.fault}>{faults['/components']}</p>}
      {components.map((component, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a SKU is edited in its place, and two may be the same
        <div key={index} className={rows.component}>
          <ComponentFields
            component={component}
            place={index + 1}
            fault={faultUnder(faults, `/components/${index}`)}
            change={(next) => set(components.map((one, place) => (place === index ? next : one)))}
          />
          <ProductLink project={project} id={component.id}>
            {component.id !== null && (
              <>
                Open<span className="unseen"> {component.sku}</span>
              </>
            )}
          </ProductLink>
          <RowButton
            icon="cross"
            label={`Remove component ${index + 1}`}
            run={() => set(components.filter((_, place) => place !== index))}
          />
        </div>
      ))}
      <Button
        id={fieldId('components')}
        variant="default"
        size="xs"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => set([...components, empty])}
      >
        Add a component
      </Button>
    </fieldset>
  )
}

type FieldsProps = {
  component: ComponentDraft
  place: number
  fault: string | undefined
  change: (component: ComponentDraft) => void
}

function ComponentFields({ component, place, fault, change }: FieldsProps) {
  return (
    <>
      <TextInput
        label={place === 1 ? 'SKU' : undefined}
        aria-label={`SKU of component ${place}`}
        value={component.sku}
        error={fault}
        onChange={({ currentTarget }) => change({ ...component, sku: currentTarget.value, id: null })}
      />
      <TextInput
        label={place === 1 ? 'Quantity' : undefined}
        aria-label={`Quantity of component ${place}`}
        inputMode="numeric"
        value={component.quantity}
        onChange={({ currentTarget }) => change({ ...component, quantity: currentTarget.value })}
      />
      <TextInput
        label={place === 1 ? 'Choice' : undefined}
        aria-label={`Choice of component ${place}`}
        placeholder="None"
        value={component.choice}
        onChange={({ currentTarget }) => change({ ...component, choice: currentTarget.value })}
      />
      <Checkbox
        label="Default"
        className={rows.box ?? ''}
        aria-label={`Component ${place} is the default of its choice`}
        checked={component.isDefault}
        onChange={({ currentTarget }) => change({ ...component, isDefault: currentTarget.checked })}
      />
    </>
  )
}
