import { expect } from 'vitest'

/** Checks all cases of one guarantee and fails with a table of violations. This is much faster than one test per case. */
export async function everyCase<Case>(
  cases: readonly Case[],
  name: (one: Case) => string,
  check: (one: Case) => Promise<unknown>,
  { atOnce = 8 } = {},
): Promise<void> {
  expect(cases.length, 'cases to check').toBeGreaterThan(0)
  const failures: { at: number; line: string }[] = []
  const waiting = cases.entries()
  const takeCases = async () => {
    for (const [at, one] of waiting)
      await check(one).catch((error: Error) =>
        failures.push({ at, line: `${name(one)} | ${reasonOf(error)}` }),
      )
  }
  await Promise.all(Array.from({ length: atOnce }, takeCases))
  if (failures.length === 0) return
  const lines = failures.sort((one, other) => one.at - other.at).map(({ line }) => line)
  throw new Error([`${failures.length} of ${cases.length} cases fail:`, ...lines].join('\n'))
}

/** Includes the cause, which explains what failed for an input that fast-check found. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}\n${cause.message}` : message
}
