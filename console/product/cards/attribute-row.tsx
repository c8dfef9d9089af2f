import { ActionIcon, NativeSelect, TagsInput, Textarea, TextInput, Tooltip } from '@mantine/core'
import { memo, useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { numberHint } from '../../parts/numbers/number-hint.ts'
import type { AttributeDefinition, Provenance } from '../../wire.ts'
import type { AttributeDraft } from '../draft/attribute-draft.ts'
import { fieldId } from '../focus-field.ts'
import styles from '../product.module.css'
import { writtenBy } from '../provenance.tsx'
import { strings } from '../strings.ts'

type Props = {
  name: string
  value: AttributeDraft
  definition: AttributeDefinition | undefined
  fieldError: string | undefined
  /** Set if a prompt wrote the value. */
  written: Provenance | undefined
  change: (name: string, value: AttributeDraft) => void
  remove: (name: string) => void
}

/** One attribute. The value type and the definition determine its control. */
export const AttributeRow = memo(function AttributeRow(props: Props) {
  const { name, definition, remove } = props
  const label = definition?.label ?? name
  return (
    <li className={styles.attribute}>
      <AttributeControl {...props} />
      <Tooltip label={strings.attributes.remove(label)}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={strings.attributes.remove(label)}
          onClick={() => remove(name)}
        >
          <Icon name="cross" size={16} />
        </ActionIcon>
      </Tooltip>
    </li>
  )
})

const trueOrFalse = [
  { value: 'true', label: strings.attributes.true },
  { value: 'false', label: strings.attributes.false },
]
const longText = 80

export function AttributeControl({
  name,
  value,
  definition,
  fieldError,
  written = {},
  change,
}: Omit<Props, 'remove'>) {
  // Decided once: a control that changes its type while the user types loses the focus.
  const [isLong] = useState(
    () => 'text' in value && (value.text.length > longText || value.text.includes('\n')),
  )
  const [isDate] = useState(() => 'text' in value && /^(\d{4}-\d\d-\d\d)?$/.test(value.text))
  const common = {
    id: fieldId(`attributes.${name}`),
    label: <bdi>{definition?.label ?? name}</bdi>,
    description: writtenBy(written, `attributes.${name}`) ?? (definition?.description || undefined),
    error: fieldError,
    className: styles.attributeValue ?? '',
  }
  if (value.kind === 'several')
    return (
      <TagsInput
        {...common}
        value={value.texts}
        onChange={(texts) => change(name, { ...value, texts })}
        data={definition?.allowed ?? []}
        allowDuplicates
        acceptValueOnBlur
      />
    )
  if (value.kind === 'boolean')
    return (
      <NativeSelect
        {...common}
        data={trueOrFalse}
        value={String(value.isTrue)}
        onChange={({ currentTarget }) => change(name, { ...value, isTrue: currentTarget.value === 'true' })}
      />
    )
  const text = {
    ...common,
    value: value.text,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      change(name, { ...value, text: currentTarget.value }),
  }
  if (definition?.type === 'choice' && definition.allowed !== null)
    return <NativeSelect {...text} data={choicesOf(definition.allowed, value.text)} />
  if (isLong) return <Textarea {...text} autosize minRows={1} maxRows={10} />
  const read = value.kind === 'number' ? numberHint(value.text) : undefined
  return (
    <TextInput
      {...text}
      description={read ?? common.description}
      type={definition?.type === 'date' && isDate ? 'date' : 'text'}
      inputMode={value.kind === 'number' ? 'decimal' : 'text'}
      rightSection={definition?.unit && <span className={styles.unit}>{definition.unit}</span>}
      rightSectionWidth={definition?.unit ? 58 : 0}
      rightSectionPointerEvents="none"
    />
  )
}

/** A value that is no longer a choice stays visible until the user selects another one. */
function choicesOf(allowed: readonly string[], current: string): string[] {
  return allowed.includes(current) ? [...allowed] : [current, ...allowed]
}
