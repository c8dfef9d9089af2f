import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Picture } from '../../parts/pictures/picture.tsx'
import { firstPicture } from '../../parts/pictures/picture-source.ts'
import type { ProductDetail } from '../../wire.ts'
import { foundSkusQuery, shortestSearch } from '../queries.ts'
import styles from './rows.module.css'

type Props = Omit<AutocompleteProps, 'data' | 'value' | 'onChange' | 'onOptionSubmit'> & {
  project: number
  value: string
  /** The chosen product, if it is known. */
  product?: ProductDetail | undefined
  /** List filters that restrict the suggested products. */
  among?: string
  /** The ID of the selected product; null while the user types. */
  choose: (sku: string, id: number | null) => void
  /** Called when the user selects a product, not when they type. */
  chosen?: (sku: string, id: number) => void
}

const pauseMilliseconds = 200

/** Finds a product by any part of its SKU or name. Also accepts a SKU that does not exist yet. */
export function SkuInput({ project, value, product, among = '', choose, chosen, ...input }: Props) {
  const [isUsed, setUsed] = useState(false)
  const [search] = useDebouncedValue(value.trim(), pauseMilliseconds)
  const isEnough = search.length >= shortestSearch
  const { data } = useQuery({ ...foundSkusQuery(project, search, among), enabled: isUsed && isEnough })
  const found = new Map((isUsed && isEnough ? (data?.results ?? []) : []).map((one) => [one.sku, one]))
  return (
    <Autocomplete
      {...input}
      {...(product !== undefined && {
        leftSection: <Picture file={firstPicture(product.media)} form="mark" />,
        title: product.name,
      })}
      value={value}
      data={[...found.keys()]}
      filter={({ options }) => options}
      onFocus={() => setUsed(true)}
      onChange={(sku) => choose(sku, null)}
      onOptionSubmit={(sku) => {
        const id = found.get(sku)?.id
        // After the control has written the text of the option.
        queueMicrotask(() => {
          choose(sku, id ?? null)
          if (id !== undefined) chosen?.(sku, id)
        })
      }}
      renderOption={({ option }) => (
        <span className={styles.option}>
          <Picture file={firstPicture(found.get(option.value)?.media ?? [])} form="row" />
          <span className={styles.optionText}>
            <bdi>{option.value}</bdi>
            <bdi className={styles.optionName}>{found.get(option.value)?.name}</bdi>
          </span>
        </span>
      )}
    />
  )
}
