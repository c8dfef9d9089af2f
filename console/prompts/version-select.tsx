import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Prompt } from '../wire.ts'
import { labelsOf } from './labels/label-tags.tsx'
import { versionsQuery } from './queries.ts'

/** Older versions are available in the version list. */
export const mostChoices = 100

type Props = {
  project: number
  prompt: Prompt
  label: string
  /** Only screen readers get the label. */
  isBare?: boolean
  value: string
  choose: (version: string) => void
}

/** Offers the latest versions and the selected one. */
export function VersionSelect({ project, prompt, label, isBare = false, value, choose }: Props) {
  const { data } = useQuery(versionsQuery(project, prompt.id, 1, mostChoices))
  const numbers = (data?.results ?? []).map(({ version_number }) => version_number)
  const all = numbers.includes(value) ? numbers : [...numbers, value]
  return (
    <NativeSelect
      {...(isBare ? { 'aria-label': label } : { label })}
      data={all.map((number) => ({
        value: number,
        label: [number, ...labelsOf(prompt, number)].join(' · '),
      }))}
      value={value}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    />
  )
}
