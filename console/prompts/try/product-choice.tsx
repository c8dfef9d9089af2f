import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { productQuery } from '../../product/queries.ts'
import { productChoicesQuery } from '../queries.ts'

type Props = { project: number; value: number | undefined; choose: (product: number | undefined) => void }
type Named = { sku: string; name: string }

const pauseMilliseconds = 200
const nameOf = ({ sku, name }: Named) => `${sku} · ${name}`
const isMeant = (text: string) => (one: Named) => one.sku === text || nameOf(one) === text

/** A product by SKU or name: the service searches, for there may be a million. A whole SKU is as good as a choice. */
export function ProductChoice({ project, value, choose }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string>()
  const chosen = useQuery({ ...productQuery(project, value ?? 0), enabled: value !== undefined })
  const [wanted] = useDebouncedValue(typed?.trim() ?? '', pauseMilliseconds)
  const [sku = ''] = wanted.split(' · ')
  const found = useQuery(productChoicesQuery(project, sku))
  // What was typed a moment ago is meant no more once it was cleared.
  const isSettled = typed?.trim() === wanted && !found.isPlaceholderData
  const meant = isSettled ? found.data?.results.find(isMeant(wanted)) : undefined
  useEffect(() => {
    if (meant !== undefined && meant.id !== value) choose(meant.id)
  }, [meant, value, choose])
  const clear = () => {
    setTyped('')
    choose(undefined)
    input.current?.focus()
  }
  const shown = typed ?? (value !== undefined && chosen.data ? nameOf(chosen.data) : '')
  const isNone = isSettled && wanted !== '' && found.data?.count === 0
  return (
    <>
      <TextInput
        ref={input}
        label="Product"
        description="Fills the variables that are named like its fields"
        placeholder="Search by SKU or name"
        list={id}
        autoComplete="off"
        spellCheck={false}
        maxLength={300}
        value={shown}
        error={faultOf(isNone, value, chosen.error)}
        rightSection={shown !== '' && <CloseButton size="sm" aria-label="No product" onClick={clear} />}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          if (currentTarget.value === '') choose(undefined)
        }}
        onBlur={() => {
          if (meant !== undefined && meant.id === value) setTyped(undefined)
        }}
      />
      <datalist id={id}>
        {(found.data?.results ?? []).map((product) => (
          <option key={product.id} value={nameOf(product)} />
        ))}
      </datalist>
    </>
  )
}

function faultOf(isNone: boolean, value: number | undefined, error: Error | null): string | undefined {
  if (isNone) return 'No product has this SKU or name.'
  return value === undefined || error === null ? undefined : `There is no product ${value}.`
}
