type Close = () => Promise<unknown> | unknown

const open: Close[] = []

/** Closes what a file opens in a hook or test, where Vitest ignores `afterAll`. Closes in reverse order. */
export function whenFileEnds(close: Close): void {
  open.push(close)
}

export async function endFile(): Promise<void> {
  for (const close of open.splice(0).reverse()) await close()
}
