import { styleText } from 'node:util'
import type { PromptDiff } from '../../../catalog/prompts/prompt-version.schema.ts'
import { escapeControlCharacters } from '../../../platform/terminal/escape-control-characters.ts'

type Color = 'red' | 'green' | 'cyan' | 'bold' | 'dim'

const colorOf: Record<string, Color> = { '-': 'red', '+': 'green', '\\': 'dim' }

/** A unified diff, in color if the terminal supports it and NO_COLOR is not set. */
export function formatDiff({ from, to, hunks, variables }: PromptDiff): string {
  const lines = [paint('bold', `--- ${from ?? '(nothing)'}`), paint('bold', `+++ ${to}`)]
  for (const { from_start, from_lines, to_start, to_lines, lines: changed } of hunks) {
    lines.push(paint('cyan', `@@ -${from_start},${from_lines} +${to_start},${to_lines} @@`))
    for (const line of changed) lines.push(paint(colorOf[line[0] as string], escapeControlCharacters(line)))
  }
  if (hunks.length === 0) lines.push('no differences')
  const names = [
    ...variables.added.map((name) => paint('green', `+${name}`)),
    ...variables.removed.map((name) => paint('red', `-${name}`)),
  ]
  if (names.length > 0) lines.push('', `variables: ${names.join(' ')}`)
  return lines.join('\n')
}

function paint(color: Color | undefined, text: string): string {
  return color === undefined ? text : styleText(color, text, { stream: process.stdout })
}
