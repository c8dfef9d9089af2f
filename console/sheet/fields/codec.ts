/** A value of a product in the format of the API, or why the text is none. */
export type ReadValue = { value: unknown } | { error: string }

/** How the values of one field are shown, edited, copied and read. */
export type Codec = {
  editor: 'text' | 'number' | 'choice' | 'date' | 'several'
  /** For `choice`, and suggestions for `several`. */
  choices?: readonly { value: string; label: string }[]
  isNumber?: boolean
  /** The text in the editor and in the clipboard. `read` turns it into the same value. */
  text(value: unknown): string
  /** The text in the cell. */
  shown(value: unknown): string
  /** `before` is the current value: a text that could mean several values keeps its type. */
  read(text: string, before: unknown): ReadValue
}

export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

export function isSame(one: unknown, other: unknown): boolean {
  return (isEmpty(one) && isEmpty(other)) || JSON.stringify(one) === JSON.stringify(other)
}
