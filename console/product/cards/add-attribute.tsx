import { Autocomplete, Button, NativeSelect } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import type { AttributeDefinition } from '../../wire.ts'
import {
  type AttributeDraft,
  type AttributeKind,
  attributeKind,
  attributeKinds,
  emptyAttribute,
} from '../draft/attribute-draft.ts'
import { fieldId, focusField } from '../focus-field.ts'
import styles from '../product.module.css'
import { strings } from '../strings.ts'

type Props = {
  used: string[]
  definitions: AttributeDefinition[]
  fieldError: string | undefined
  add: (name: string, value: AttributeDraft) => void
}

/** The definition of an attribute determines the type of its value. */
export function AddAttribute({ used, definitions, fieldError, add }: Props) {
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<AttributeKind>('text')
  const definitionOf = (wanted: string) => definitions.find((one) => one.name === wanted)
  const wanted = name.trim()
  const definition = definitionOf(wanted)
  const isUsed = used.includes(wanted)
  const run = (added: string) => {
    if (added === '' || used.includes(added)) return
    add(added, firstValue(chosen, definitionOf(added)))
    // After the control has written the text of the option.
    queueMicrotask(() => setName(''))
    requestAnimationFrame(() => focusField(`attributes.${added}`))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isOptionTaken = event.currentTarget.getAttribute('aria-activedescendant') !== null
    if (event.key !== 'Enter' || isOptionTaken) return
    event.preventDefault()
    run(wanted)
  }
  return (
    <div className={styles.add}>
      <Autocomplete
        id={fieldId('attributes')}
        label={strings.attributes.addLabel}
        placeholder={strings.attributes.namePlaceholder}
        value={name}
        onChange={setName}
        onOptionSubmit={run}
        onKeyDown={onKeyDown}
        data={definitions.map((one) => one.name).filter((one) => !used.includes(one))}
        limit={30}
        renderOption={({ option }) => <Option definition={definitionOf(String(option.value))} />}
        error={isUsed ? strings.attributes.duplicate : fieldError}
      />
      <NativeSelect
        label={strings.attributes.kind}
        data={attributeKinds}
        value={definition === undefined ? chosen : attributeKind(definition)}
        disabled={definition !== undefined}
        onChange={({ currentTarget }) => setChosen(currentTarget.value as AttributeKind)}
      />
      <Button
        variant="default"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => run(wanted)}
        disabled={isUsed}
      >
        {strings.attributes.add}
      </Button>
    </div>
  )
}

function firstValue(chosen: AttributeKind, definition: AttributeDefinition | undefined): AttributeDraft {
  const kind = definition === undefined ? chosen : attributeKind(definition)
  const empty = emptyAttribute(kind, definition?.type === 'number')
  const first = definition?.allowed?.[0]
  return empty.kind === 'text' && first !== undefined ? { ...empty, text: first } : empty
}

/** A name with a summary of its definition, such as "Weight, Number, g". */
function Option({ definition }: { definition: AttributeDefinition | undefined }) {
  if (definition === undefined) return null
  const { name, label, type, unit, multiple } = definition
  const facts = [label, strings.attributes.types[type], unit, multiple && strings.attributes.listFact].filter(
    Boolean,
  )
  return (
    <span>
      <bdi>{name}</bdi> <span className={styles.small}>{facts.join(', ')}</span>
    </span>
  )
}
