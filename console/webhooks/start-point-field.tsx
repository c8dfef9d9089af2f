import { NativeSelect, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

export type StartPoint = 'stopped' | 'now' | '0' | 'moment' | 'cursor'
export type StartPointValues = { from: StartPoint; moment: string; cursor: string }

const words: Record<StartPoint, string> = {
  stopped: 'Where it stopped: nothing is missed',
  now: 'Now: only what changes from here on',
  '0': 'The beginning: everything there ever was',
  moment: 'A moment…',
  cursor: 'A cursor of the feed…',
}

/** Where deliveries begin, as the service reads it; undefined where a webhook goes on. */
export function startPointOf({ from, moment, cursor }: StartPointValues): string | undefined {
  if (from === 'moment') return new Date(moment).toISOString()
  if (from === 'cursor') return cursor.trim()
  return from === 'stopped' ? undefined : from
}

export const startPointRules = {
  moment: (value: string, { from }: StartPointValues) =>
    from === 'moment' && Number.isNaN(Date.parse(value)) ? 'Choose day and time.' : null,
  cursor: (value: string, { from }: StartPointValues) =>
    from === 'cursor' && value.trim() === '' ? 'Paste a cursor, as events have one.' : null,
}

type Props<Values extends StartPointValues> = {
  label: string
  places: readonly StartPoint[]
  form: UseFormReturnType<Values>
}

export function StartPointField<Values extends StartPointValues>({ label, places, form }: Props<Values>) {
  const { from } = form.values
  return (
    <>
      <NativeSelect
        label={label}
        data={places.map((value) => ({ value, label: words[value] }))}
        {...form.getInputProps('from')}
      />
      {from === 'moment' && (
        <TextInput
          label="Changed since"
          description="In the time of this computer"
          type="datetime-local"
          {...form.getInputProps('moment')}
        />
      )}
      {from === 'cursor' && (
        <TextInput
          label="Cursor"
          description="Everything after the event that has it"
          {...form.getInputProps('cursor')}
        />
      )}
    </>
  )
}
