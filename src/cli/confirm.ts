import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

type Terminal = { input: Readable & { isTTY?: boolean; unref?(): void }; output: Writable }

/** Goes on once the expected text was typed on the terminal; elsewhere an option has to say it. */
export async function confirm(
  { question, expected, option }: { question: string; expected: string; option: string },
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (input.isTTY !== true) throw new Error(`there is no terminal to ask on; say it with ${option}`)
  output.write(`${question} `)
  // Without its own handling of keys, so that Ctrl-C stays a signal; and a signal must not leave the process waiting for a line.
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
  throw new Error(`that is not "${expected}"; nothing was deleted`)
}
