import { Checkbox, Input } from '@mantine/core'
import { useId } from 'react'
import { matchingTypes } from '../../src/delivery/events/type-patterns.ts'
import { eventTypes } from '../../src/model/events/event-types.ts'
import { strings } from './strings.ts'
import styles from './webhooks.module.css'

const allTypes: readonly string[] = [...eventTypes.keys()]
const kindOf = (type: string) => type.slice(0, type.indexOf('.'))
const kinds = [...Map.groupBy(allTypes, kindOf)]
const withSpaces = (name: string) => name.replaceAll('_', ' ')

/** The event types that match the patterns of a webhook. */
export function chosenTypes(patterns: string[] | null): string[] {
  return patterns === null ? [...allTypes] : matchingTypes(patterns)
}

/** As few patterns as possible. A pattern for a whole kind includes its future types; null means all events. */
export function patternsOf(chosen: readonly string[]): string[] | null {
  if (allTypes.every((type) => chosen.includes(type))) return null
  return kinds.flatMap(([kind, types]) =>
    types.every((type) => chosen.includes(type))
      ? [`${kind}.*`]
      : types.filter((type) => chosen.includes(type)),
  )
}

type Props = { value: string[]; onChange: (value: string[]) => void; error?: string | undefined }

/** Event types, grouped by the kind of object. */
export function EventTypeBoxes({ value, onChange, error }: Props) {
  const id = useId()
  const set = (types: readonly string[], isOn: boolean) =>
    onChange(allTypes.filter((type) => (types.includes(type) ? isOn : value.includes(type))))
  const box = (label: string, types: readonly string[]) => {
    const count = types.filter((type) => value.includes(type)).length
    return (
      <Checkbox
        label={label}
        checked={count === types.length}
        indeterminate={count > 0 && count < types.length}
        onChange={({ currentTarget }) => set(types, currentTarget.checked)}
      />
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would add its own style
    <div role="group" aria-labelledby={id}>
      <Input.Label component="div" id={id}>
        {strings.form.events}
      </Input.Label>
      <div className={styles.kinds}>
        {box(strings.form.allEvents, allTypes)}
        {kinds.map(([kind, types]) => (
          <div key={kind}>
            {box(strings.form.kinds[kind] ?? withSpaces(kind), types)}
            {types.length > 1 && (
              <div className={styles.events}>
                {types.map((type) => (
                  <Checkbox
                    key={type}
                    size="xs"
                    label={withSpaces(type.slice(kind.length + 1))}
                    aria-label={type}
                    checked={value.includes(type)}
                    onChange={({ currentTarget }) => set([type], currentTarget.checked)}
                  />
                ))}
              </div>
            )}
          </div>
        ))}
      </div>
      {error !== undefined && <Input.Error>{error}</Input.Error>}
    </div>
  )
}
