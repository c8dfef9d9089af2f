import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { productLimits } from '../../../src/model/limits/products.ts'
import { definedAttributesQuery } from '../queries.ts'
import { strings } from '../strings.ts'

type Props = {
  project: number
  label: string
  value: string
  onChange: (name: string) => void
  error?: ReactNode
}

/** An attribute name. Suggests defined attributes and accepts any other name. */
export function AttributeNameInput({ project, label, value, onChange, error }: Props) {
  const list = useId()
  const { data } = useQuery(definedAttributesQuery(project))
  return (
    <>
      <TextInput
        label={label}
        placeholder={strings.attributeName.example}
        list={list}
        maxLength={productLimits.attributeNameCharacters}
        autoComplete="off"
        value={value}
        error={error}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <datalist id={list}>
        {data?.results.map(({ name, label: shown }) => (
          <option key={name} value={name}>
            {shown ?? name}
          </option>
        ))}
      </datalist>
    </>
  )
}
