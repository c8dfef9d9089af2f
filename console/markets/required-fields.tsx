import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { fieldLabel } from '../../src/model/fields/field-paths.ts'
import { isKeyed, viewFields } from '../../src/model/fields/view-paths.ts'
import { viewLimits } from '../../src/model/limits/views.ts'
import { Boxes } from '../parts/forms/boxes.tsx'
import { AttributeNameInput } from '../products/filters/attribute-name-input.tsx'
import type { MarketForm } from './market-form.ts'
import styles from './markets.module.css'
import { strings } from './strings.ts'

/** Every product has a status. */
const fixed: string[] = viewFields.filter((field) => field !== 'status' && !isKeyed(field))

/** Fields that count as missing. Attributes are entered by name. */
export function RequiredFields({ project, form }: { project: number; form: MarketForm }) {
  const [name, setName] = useState('')
  const [attributes, setAttributes] = useState(() =>
    form.values.requires.filter((field) => !fixed.includes(field)),
  )
  const chosen = form.values.requires
  const set = (next: string[]) => {
    form.clearFieldError('requires')
    form.setFieldValue('requires', next)
  }
  const field = `attributes.${name.trim()}`
  const isFull = chosen.length >= viewLimits.requiredFields
  return (
    <>
      <Checkbox.Group
        label={strings.form.requires}
        description={strings.form.requiresHint}
        value={chosen}
        onChange={set}
        error={form.errors['requires']}
      >
        <Boxes
          choices={[
            ...fixed.map((value) => ({ value, label: fieldLabel(value) })),
            ...attributes.map((value) => ({ value, label: strings.form.attribute(fieldLabel(value)) })),
          ]}
        />
      </Checkbox.Group>
      <div className={styles.addAttribute}>
        <AttributeNameInput
          project={project}
          label={strings.form.requireAttribute}
          value={name}
          onChange={setName}
        />
        <Button
          variant="default"
          disabled={name.trim() === '' || attributes.includes(field) || isFull}
          onClick={() => {
            setAttributes([...attributes, field])
            set([...chosen, field])
            setName('')
          }}
        >
          {strings.form.addAttribute}
        </Button>
      </div>
    </>
  )
}
