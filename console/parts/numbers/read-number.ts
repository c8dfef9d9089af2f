import { strings } from '../strings.ts'
/** A number that the user typed, or why the text is not a clear number. */
export type ReadNumber = { number: number } | { error: string }

/** How a locale writes numbers. */
type Marks = { decimal: string; digits: string }

export function marksOf(locale?: string): Marks {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5)
  const digits = new Intl.NumberFormat(locale, { useGrouping: false }).format(9876543210)
  return {
    decimal: parts.find(({ type }) => type === 'decimal')?.value ?? '.',
    digits: [...digits].reverse().join(''),
  }
}

const own = marksOf()
export const notANumber = strings.number.invalid
const invalid = { error: notANumber }

/**
 * Reads numbers in any common notation: `12.5`, `12,5`, `1,234.50`, `1.234,50`, `1 234,50`. Rejects ambiguous text
 * such as `1.234` in every locale, because the browser's language is often not the user's.
 */
export function readNumber(text: string, marks = own): ReadNumber {
  const plain = withPlainDigits(text, marks)
  if (/^[+-]?\d+(\.\d+)?e[+-]?\d+$/i.test(plain)) return finite(plain)
  const [, sign = '', body = ''] = /^([+-]?)([\d.,]+)$/.exec(plain) ?? []
  const found = [...body].filter((one) => one === '.' || one === ',')
  const last = found.at(-1)
  if (last === undefined) return finite(sign + body)
  if (isDecimal(body, last, found)) return finite(sign + decimalText(body, last))
  if (!isGrouped(body, last) || new Set(found).size > 1) return invalid
  const whole = body.replaceAll(last, '')
  if (found.length > 1) return finite(sign + whole)
  const written = (number: string) => number.replace('.', marks.decimal)
  const decimal = `${sign}${body.replace(last, '.')}`
  return {
    error: strings.number.ambiguous(text.trim(), sign + whole, written(decimal)),
  }
}

/** Formats a number for a field, so that `readNumber` reads the same number. */
export function fieldText(value: number | null | undefined, { decimal } = own): string {
  if (value == null) return ''
  const text = String(value)
  if (text.includes('e')) return text
  return text.replace('.', decimal) + (/^-?[1-9]\d{0,2}\.\d{3}$/.test(text) ? '0' : '')
}

/** Whether the notation is unusual in the locale, so that the form shows the number that it read. */
export function isOddlyWritten(text: string, { decimal } = own): boolean {
  return !new RegExp(`^[+-]?\\d*(\\${decimal}\\d*)?$`).test(text.trim())
}

/** Spaces and apostrophes separate only thousands. */
function withPlainDigits(text: string, { decimal, digits }: Marks): string {
  return [...text.trim()]
    .map((one) =>
      digits.includes(one)
        ? String([...digits].indexOf(one))
        : one === decimal && !/[.,]/.test(one)
          ? '.'
          : one,
    )
    .join('')
    .replace('−', '-')
    .replace(/(?<=\d)[\s'’٬](?=\d{3}(?!\d))/g, '')
}

/** The last mark separates decimals if it occurs once and cannot separate thousands. */
function isDecimal(body: string, last: string, found: string[]): boolean {
  const [whole = '', part = ''] = splitAtLast(body, last)
  if (part === '' || found.filter((one) => one === last).length > 1) return false
  if (found.length > 1) return isGrouped(whole, last === '.' ? ',' : '.')
  return part.length !== 3 || !/^[1-9]\d{0,2}$/.test(whole)
}

function decimalText(body: string, last: string): string {
  const [whole = '', part = ''] = splitAtLast(body, last)
  return `${whole.replace(/[.,]/g, '') || '0'}.${part}`
}

function splitAtLast(body: string, mark: string): [string, string] {
  const place = body.lastIndexOf(mark)
  return [body.slice(0, place), body.slice(place + 1)]
}

/** Thousands, or the lakhs and crores of India. */
function isGrouped(whole: string, mark: string): boolean {
  const groups = whole.split(mark)
  const [first = '', ...others] = groups
  const end = others.pop() ?? ''
  return /^[1-9]\d{0,2}$/.test(first) && /^\d{3}$/.test(end) && (areAll(others, 3) || areAll(others, 2))
}

function areAll(groups: string[], length: number): boolean {
  return groups.every((group) => /^\d+$/.test(group) && group.length === length)
}

function finite(text: string): ReadNumber {
  const number = Number(text)
  return text.trim() === '' || !Number.isFinite(number) ? invalid : { number }
}
