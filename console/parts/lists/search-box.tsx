import { CloseButton, TextInput } from '@mantine/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Icon } from '../icons.tsx'
import { strings } from '../strings.ts'

type Props = {
  /** The label, such as "Search by name". */
  label: string
  value: string
  search: (text: string, isFirst: boolean) => void
  inputRef?: RefObject<HTMLInputElement | null>
  size?: 'xs' | 'sm'
}

const pauseMilliseconds = 250

/** Searches when the typing pauses. */
export function SearchBox({ label, value, search, inputRef, size = 'sm' }: Props) {
  const own = useRef<HTMLInputElement>(null)
  const input = inputRef ?? own
  const [text, setText] = useState(value)
  const asked = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The URL changed through Back, a chip or a link.
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
      ref={input}
      type="search"
      size={size}
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      spellCheck={false}
      maxLength={200}
      leftSection={<Icon name="search" size={16} />}
      rightSection={
        text === '' ? null : (
          <CloseButton
            size="sm"
            aria-label={strings.list.clearSearch}
            onClick={() => {
              setText('')
              ask('')
              input.current?.focus()
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
