import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { productQuery } from '../../product/queries.ts'
import { productChoicesQuery } from '../queries.ts'
import { strings } from '../strings.ts'

type Props = { project: number; value: number | undefined; choose: (product: number | undefined) => void }
type Named = { sku: string; name: string }

const pauseMilliseconds = 200
const productName = ({ sku, name }: Named) => strings.try.productName(sku, name)
const isMeant = (text: string) => (one: Named) => one.sku === text || productName(one) === text

/** Finds a product by SKU or name. A complete SKU selects the product. */
export function ProductChoice({ project, value, choose }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string>()
  const chosen = useQuery({ ...productQuery(project, value ?? 0), enabled: value !== undefined })
  const [wanted] = useDebouncedValue(typed?.trim() ?? '', pauseMilliseconds)
  const [sku = ''] = wanted.split(' · ')
  const found = useQuery(productChoicesQuery(project, sku))
  // Results for an earlier input do not count.
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
  const shown = typed ?? (value !== undefined && chosen.data ? productName(chosen.data) : '')
  const isNone = isSettled && wanted !== '' && found.data?.count === 0
  return (
    <>
      <TextInput
        ref={input}
        label={strings.try.product}
        description={strings.try.productHint}
        placeholder={strings.try.productSearch}
        list={id}
        autoComplete="off"
        spellCheck={false}
        maxLength={300}
        value={shown}
        error={errorOf(isNone, value, chosen.error)}
        rightSection={
          shown !== '' && <CloseButton size="sm" aria-label={strings.try.clearProduct} onClick={clear} />
        }
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
          <option key={product.id} value={productName(product)} />
        ))}
      </datalist>
    </>
  )
}

function errorOf(isNone: boolean, value: number | undefined, error: Error | null): string | undefined {
  if (isNone) return strings.try.noProduct
  return value === undefined || error === null ? undefined : strings.try.missingProduct(value)
}
