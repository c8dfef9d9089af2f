import { structuredPatch } from 'diff'
import { promptLimits } from '../../model/limits/prompts.ts'
import { variablesOf } from '../../model/prompts/prompt-template.ts'
import type { PromptDiff } from './prompt-version.schema.ts'

type Hunk = PromptDiff['hunks'][number]

/** The changes from one text to the other, by lines and by variables. */
export function diffTexts(from: string, to: string): Pick<PromptDiff, 'hunks' | 'variables'> {
  const before = new Set(variablesOf(from))
  const after = new Set(variablesOf(to))
  return {
    hunks: from === to ? [] : diffLines(...endAlike(from, to)),
    variables: {
      added: [...after.difference(before)],
      removed: [...before.difference(after)],
    },
  }
}

function diffLines(from: string, to: string): Hunk[] {
  const options = { context: promptLimits.diffContext, maxEditLength: promptLimits.diffEdits }
  const patch = structuredPatch('', '', from, to, undefined, undefined, options)
  if (patch === undefined) return [replaceAll(splitLines(from), splitLines(to))]
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    // As in a unified diff: an empty range starts before its line.
    from_start: oldLines === 0 ? oldStart - 1 : oldStart,
    from_lines: oldLines,
    to_start: newLines === 0 ? newStart - 1 : newStart,
    to_lines: newLines,
    lines,
  }))
}

/** The final newline is shown only if one text has it and the other does not. */
function endAlike(from: string, to: string): [string, string] {
  if (from !== '' && to !== '' && from.endsWith('\n') !== to.endsWith('\n')) return [from, to]
  const ended = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)
  return [ended(from), ended(to)]
}

function splitLines(text: string): string[] {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function replaceAll(from: string[], to: string[]): Hunk {
  return {
    from_start: 1,
    from_lines: from.length,
    to_start: 1,
    to_lines: to.length,
    lines: [...from.map((line) => `-${line}`), ...to.map((line) => `+${line}`)],
  }
}
