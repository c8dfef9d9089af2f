import { MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Category } from '../../wire.ts'
import { categoriesQuery } from '../queries.ts'
import { strings } from '../strings.ts'

export type Choice = { value: string; label: string }
const pauseMilliseconds = 200

export function categoryPath({ path }: Category): string {
  return path.join(' › ')
}

/** The service searches. Selected categories stay in the list, so that their names are shown. */
function useCategoryChoices(project: number, chosen: Choice[]) {
  const [search, setSearch] = useState('')
  const [wanted] = useDebouncedValue(search, pauseMilliseconds)
  const isChosen = chosen.some(({ label }) => label === wanted)
  const { data, isFetching } = useQuery(categoriesQuery(project, isChosen ? '' : wanted.trim()))
  const found = (data?.results ?? []).map((category) => ({
    value: String(category.id),
    label: categoryPath(category),
  }))
  const choices = [...chosen.filter(({ value }) => !found.some((one) => one.value === value)), ...found]
  return {
    find: (value: string) => choices.find((choice) => choice.value === value),
    field: {
      data: choices,
      searchable: true,
      searchValue: search,
      onSearchChange: setSearch,
      nothingFoundMessage: isFetching ? strings.categorySelect.searching : strings.categorySelect.none,
      placeholder: strings.categorySelect.typeName,
    },
  }
}

type OneProps = {
  project: number
  label: string
  description?: string
  error?: ReactNode
  /** Whether the user can clear the selection. */
  isClearable?: boolean
  /** In a popover, which a click elsewhere closes. A dialog would cut off the options. */
  isInPopover?: boolean
  value: Choice | undefined
  choose: (choice?: Choice) => void
}

export function CategorySelect({
  project,
  label,
  description,
  error,
  isClearable = false,
  isInPopover = false,
  value,
  choose,
}: OneProps) {
  const { find, field } = useCategoryChoices(project, value === undefined ? [] : [value])
  return (
    <Select
      {...field}
      label={label}
      description={description}
      error={error}
      clearable={isClearable}
      comboboxProps={{ withinPortal: !isInPopover }}
      value={value?.value ?? null}
      onChange={(next) => choose(next === null ? undefined : find(next))}
    />
  )
}

type ManyProps = {
  project: number
  label: string
  value: Choice[]
  choose: (choices: Choice[]) => void
  error?: ReactNode
}

export function CategoriesSelect({ project, label, value, choose, error }: ManyProps) {
  const { find, field } = useCategoryChoices(project, value)
  return (
    <MultiSelect
      {...field}
      label={label}
      error={error}
      value={value.map((choice) => choice.value)}
      onChange={(next) => choose(next.flatMap((one) => find(one) ?? []))}
    />
  )
}
