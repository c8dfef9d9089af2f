import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { productQuery } from '../product/queries.ts'
import { productChoicesQuery } from './queries.ts'

type Props = { project: number; value: number | undefined; choose: (product: number | undefined) => void }
type Named = { id: number; sku: string; name: string }

const pauseMilliseconds = 200
const choiceOf = ({ id, sku, name }: Named) => ({ value: String(id), label: `${sku} · ${name}` })

/** A product by SKU or name: the service searches, for there may be a million. */
export function ProductChoice({ project, value, choose }: Props) {
  const [search, setSearch] = useState('')
  const [wanted] = useDebouncedValue(search, pauseMilliseconds)
  const chosen = useQuery({ ...productQuery(project, value ?? 0), enabled: value !== undefined })
  const known = value !== undefined && chosen.data ? [choiceOf(chosen.data)] : []
  // The field shows the name of what is chosen; that is no search.
  const isName = known.some(({ label }) => label === wanted)
  const found = useQuery(productChoicesQuery(project, isName ? '' : wanted.trim()))
  const listed = (found.data?.results ?? []).map(choiceOf)
  const choices = [...known.filter((one) => listed.every(({ value }) => value !== one.value)), ...listed]
  return (
    <Select
      label="Product"
      description="Fills the variables that are named like its fields"
      placeholder="Search by SKU or name"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'No product' }}
      data={choices}
      filter={({ options }) => options}
      value={value === undefined ? null : String(value)}
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage={found.isFetching ? 'Searching…' : 'No product has this SKU or name'}
      error={chosen.error === null ? undefined : `There is no product ${value}.`}
      onChange={(next) => choose(next === null ? undefined : Number(next))}
    />
  )
}
