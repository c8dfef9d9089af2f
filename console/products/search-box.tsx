import { CloseButton, TextInput } from '@mantine/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Icon } from '../parts/icons.tsx'

type Props = {
  value: string
  search: (text: string, isFirst: boolean) => void
  inputRef: RefObject<HTMLInputElement | null>
}

const pauseMilliseconds = 250

/** The list is asked for when the typing pauses. */
export function SearchBox({ value, search, inputRef }: Props) {
  const [text, setText] = useState(value)
  const asked = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The address was changed by something else: Back, a chip, a link.
  useEffect(() => {
    if (value === asked.current) return
    asked.current = value
    clearTimeout(timer.current)
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  const ask = (next: string) => {
    clearTimeout(timer.current)
    const wanted = next.trim()
    if (wanted === asked.current) return
    asked.current = wanted
    search(wanted, value === '')
  }
  const type = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => ask(next), pauseMilliseconds)
  }
  return (
    <TextInput
      ref={inputRef}
      type="search"
      aria-label="Search by SKU or name"
      placeholder="Search by SKU or name"
      autoComplete="off"
      spellCheck={false}
      maxLength={200}
      leftSection={<Icon name="search" size={16} />}
      rightSection={
        text === '' ? null : (
          <CloseButton
            size="sm"
            aria-label="Clear the search"
            onClick={() => {
              setText('')
              ask('')
              inputRef.current?.focus()
            }}
          />
        )
      }
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') ask(currentTarget.value)
      }}
    />
  )
}
