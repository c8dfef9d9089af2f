/* Cell text: a backslash escapes separators in names, and no spreadsheet runs a cell as a formula. */

const formula = /^'*[=+\-@\t\r\n＝＋－＠]/
const guardedFormula = /^'+[=+\-@\t\r\n＝＋－＠]/

/** Adds an apostrophe before text that a spreadsheet would run as a formula. */
export function guarded(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

export function unguarded(cell: string): string {
  return guardedFormula.test(cell) ? cell.slice(1) : cell
}

export function escaped(name: string, marks: string): string {
  return name.replace(/[\\|/*:!]/g, (mark) => (mark === '\\' || marks.includes(mark) ? `\\${mark}` : mark))
}

/** A backslash before any other character stays a backslash. */
export function unescaped(name: string): string {
  return name.replace(/\\([\\|/*:!])/g, '$1')
}

/** The parts between separators. A backslash escapes the next character and stays for the next split. */
export function splitAt(text: string, mark: string): string[] {
  const parts: string[] = ['']
  for (const [piece] of text.matchAll(/\\.|./gsu)) {
    if (piece === mark) parts.push('')
    else parts.push(parts.pop() + piece)
  }
  return parts
}
