import { TagsInput } from '@mantine/core'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { isDay } from '../../../src/model/attributes/date-value.ts'
import { joinParts, splitParts } from '../fields/attribute-codecs.ts'
import type { SheetField } from '../fields/sheet-field.ts'
import { strings } from '../strings.ts'
import styles from './sheet.module.css'

/** Where the active cell goes after a commit. */
export type After = 'down' | 'up' | 'right' | 'left' | 'stay' | 'leave'

type Props = {
  field: SheetField
  /** Empty if the user started by typing. The browser then types the first character into the editor. */
  initial: string
  commit: (text: string, after: After) => void
  cancel: () => void
}

/** Commits with Enter, Tab or a click elsewhere. Esc cancels. */
export function CellEditor({ field, initial, commit, cancel }: Props) {
  const [text, setText] = useState(initial)
  const isDone = useRef(false)
  const end = (after: After, last = text) => {
    if (isDone.current) return
    isDone.current = true
    commit(last, after)
  }
  const press = (event: KeyboardEvent, last = text) => {
    // The grid and the page do not handle keys of the editor, except the one that saves.
    if (!((event.ctrlKey || event.metaKey) && event.key === 's')) event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    const after = afterKey(event)
    if (event.key === 'Escape') isDone.current = true
    if (event.key === 'Escape') cancel()
    else if (after === undefined) return
    else end(after, last)
    event.preventDefault()
  }
  const { codec, label } = field
  const common = { label: strings.grid.editor(label), text, change: setText, press, end }
  if (codec.editor === 'several') return <SeveralEditor {...common} choices={codec.choices ?? []} />
  if (codec.editor === 'choice')
    return <ChoiceEditor {...common} choices={codec.choices ?? []} isRequired={field.isRequired} />
  if (codec.editor === 'date' && (text === '' || isDay(text))) return <LineEditor {...common} type="date" />
  if (codec.editor === 'text') return <TextEditor {...common} />
  return <LineEditor {...common} type="text" isNumber={codec.isNumber === true} />
}

/** Alt+Enter and Ctrl+Enter add a line, as in spreadsheets. */
function afterKey({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): After | undefined {
  if (key === 'Tab') return shiftKey ? 'left' : 'right'
  return key !== 'Enter' || altKey || ctrlKey || metaKey ? undefined : shiftKey ? 'up' : 'down'
}

type Common = {
  label: string
  text: string
  change: (text: string) => void
  press: (event: KeyboardEvent, last?: string) => void
  end: (after: After, last?: string) => void
}

const focus = (element: HTMLElement | null) => element?.focus({ preventScroll: true })

/** Typing continues the text. */
function focusEnd(element: HTMLInputElement | HTMLTextAreaElement | null): void {
  focus(element)
  if (element?.type !== 'date') element?.setSelectionRange(element.value.length, element.value.length)
}

function TextEditor({ label, text, change, press, end }: Common) {
  const element = useRef<HTMLTextAreaElement>(null)
  // Before the browser types the character that opened the editor.
  useLayoutEffect(() => focusEnd(element.current), [])
  const insertLine = () => {
    const { current } = element
    current?.setRangeText('\n', current.selectionStart, current.selectionEnd, 'end')
    change(current?.value ?? text)
  }
  return (
    <textarea
      ref={element}
      aria-label={label}
      className={styles.textEditor}
      rows={1}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.altKey || event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          insertLine()
        }
        press(event)
      }}
      onBlur={() => end('leave')}
    />
  )
}

function LineEditor({
  label,
  text,
  change,
  press,
  end,
  type,
  isNumber = false,
}: Common & { type: string; isNumber?: boolean }) {
  return (
    <input
      ref={focusEnd}
      aria-label={label}
      type={type}
      // Without a limit, browsers read years of six digits.
      max={type === 'date' ? '9999-12-31' : undefined}
      inputMode={isNumber ? 'decimal' : undefined}
      className={styles.lineEditor}
      data-number={isNumber || undefined}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onKeyDown={press}
      onBlur={() => end('leave')}
    />
  )
}

type ChoiceProps = Common & { choices: readonly { value: string; label: string }[] }

function ChoiceEditor({
  label,
  text,
  change,
  press,
  end,
  choices,
  isRequired,
}: ChoiceProps & { isRequired: boolean }) {
  const isKnown = choices.some((one) => one.label === text)
  return (
    <select
      ref={focus}
      aria-label={label}
      className={styles.lineEditor}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onKeyDown={press}
      onBlur={() => end('leave')}
    >
      {(!isRequired || text === '') && <option value="">{strings.grid.empty}</option>}
      {!isKnown && text !== '' && <option value={text}>{text}</option>}
      {choices.map((one) => (
        <option key={one.value} value={one.label}>
          {one.label}
        </option>
      ))}
    </select>
  )
}

function SeveralEditor({ label, text, change, press, end, choices }: ChoiceProps) {
  const [search, setSearch] = useState('')
  const parts = splitParts(text)
  const withSearch = () => joinParts(search.trim() === '' ? parts : [...parts, search.trim()])
  return (
    <TagsInput
      ref={focus}
      aria-label={label}
      className={styles.tagsEditor ?? ''}
      size="xs"
      data={choices.map((one) => one.label)}
      value={parts}
      searchValue={search}
      onSearchChange={setSearch}
      onChange={(values) => change(joinParts(values))}
      splitChars={['|']}
      onKeyDown={(event) => {
        // All other keys are those of the input. Enter adds the typed value first.
        const isEnd = ['Escape', 'Tab'].includes(event.key) || (event.key === 'Enter' && search === '')
        if (isEnd) press(event, withSearch())
      }}
      onBlur={() => end('leave', withSearch())}
    />
  )
}
