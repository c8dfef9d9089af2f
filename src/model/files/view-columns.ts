import { viewFields } from '../fields/view-paths.ts'
import { attributePrefix } from './csv-columns.ts'

/*
 * `name@de` is the column of the view `de`, if the project has that view. In other projects it is the name of an attribute. `\@` is a
 * plain at sign, and backslashes before an at sign are doubled, so that every attribute has a column.
 */

export type FileColumn = { name: string; view?: string }

const marked = /^(?<name>.*?)(?<marks>\\*)@(?<view>[^@]*)$/s

export function readColumn(cell: string, views: readonly string[]): FileColumn {
  const { name = '', marks = '', view = '' } = marked.exec(cell)?.groups ?? {}
  if (!views.includes(view)) return { name: cell }
  const kept = name + marks.slice(0, marks.length >> 1)
  return marks.length % 2 === 1 ? { name: `${kept}@${view}` } : { name: kept, view }
}

export function columnOf({ name, view }: FileColumn, views: readonly string[]): string {
  if (view !== undefined) return `${doubleLast(name)}@${view}`
  const at = name.lastIndexOf('@')
  return at >= 0 && views.includes(name.slice(at + 1))
    ? `${doubleLast(name.slice(0, at))}\\${name.slice(at)}`
    : name
}

function doubleLast(name: string): string {
  return name.replace(/\\+$/, '$&$&')
}

/** Whether a view can have a value in the column. */
export function isViewColumn(name: string): boolean {
  return (viewFields as string[]).includes(name) || name.startsWith(attributePrefix)
}

/** The name of the column inside of the service: views are fields like `views.de.name`. */
export function fieldOfColumn({ name, view }: FileColumn): string {
  return view === undefined ? name : `views.${view}.${name}`
}

const ofView = /^views\.(?<view>[^.]+)\.(?<name>.+)$/s

/** The reverse of `fieldOfColumn`. */
export function columnOfField(field: string): FileColumn {
  const { view, name } = field.startsWith('views.') ? (ofView.exec(field)?.groups ?? {}) : {}
  return view === undefined || name === undefined ? { name: field } : { name, view }
}

/** An empty cell changes nothing, and `null` makes a field fall back. A text that says null is quoted. */
const quoted = /^"("*null"*)"$/is
const mistakable = /^"*null"*$/i

export function readNull(cell: string): boolean {
  return /^null$/i.test(cell.trim())
}

export function quoteNull(text: string): string {
  return mistakable.test(text) ? `"${text}"` : text
}

export function unquoteNull(cell: string): string {
  return quoted.exec(cell)?.[1] ?? cell
}
