import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

type Terminal = { input: Readable & { isTTY?: boolean; unref?(): void }; output: Writable }

/** Asks the user to type the expected text. Without a terminal, the user has to pass an option instead. */
export async function confirm(
  { question, expected, option }: { question: string; expected: string; option: string },
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (input.isTTY !== true) throw new Error(`cannot ask for confirmation without a terminal; use ${option}`)
  output.write(`${question} `)
  // terminal: false keeps Ctrl-C a signal; unref lets the process exit on it instead of waiting for a line.
  const lines = createInterface({ input, terminal: false })
  input.unref?.()
  try {
    for await (const line of lines) {
      if (line.trim() === expected.trim()) return
      break
    }
  } finally {
    lines.close()
  }
  throw new Error(`the text does not match "${expected}"; nothing was deleted`)
}
