import { NativeSelect, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { strings } from './strings.ts'

export type StartPoint = 'stopped' | 'failing' | 'now' | '0' | 'moment' | 'cursor'
export type StartPointValues = { from: StartPoint; moment: string; cursor: string }

/** The value of `from` in a request. Undefined: deliveries continue after the last delivered event. */
export function startPointOf(
  { from, moment, cursor }: StartPointValues,
  failing?: string,
): string | undefined {
  if (from === 'moment') return new Date(moment).toISOString()
  if (from === 'cursor') return cursor.trim()
  if (from === 'failing') return failing
  return from === 'stopped' ? undefined : from
}

export const startPointRules = {
  moment: (value: string, { from }: StartPointValues) =>
    from === 'moment' && Number.isNaN(Date.parse(value)) ? strings.start.sinceMissing : null,
  cursor: (value: string, { from }: StartPointValues) =>
    from === 'cursor' && value.trim() === '' ? strings.start.cursorMissing : null,
}

type Props<Values extends StartPointValues> = {
  points: readonly StartPoint[]
  form: UseFormReturnType<Values>
}

export function StartPointField<Values extends StartPointValues>({ points, form }: Props<Values>) {
  const { from } = form.values
  return (
    <>
      <NativeSelect
        label={strings.start.label}
        data={points.map((value) => ({ value, label: strings.start.points[value] }))}
        {...form.getInputProps('from')}
      />
      {from === 'moment' && (
        <TextInput
          label={strings.start.since}
          description={strings.start.sinceHint}
          type="datetime-local"
          {...form.getInputProps('moment')}
        />
      )}
      {from === 'cursor' && (
        <TextInput
          label={strings.start.cursor}
          description={strings.start.cursorHint}
          {...form.getInputProps('cursor')}
        />
      )}
    </>
  )
}
