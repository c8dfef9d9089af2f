type Close = () => Promise<unknown> | unknown

const open: Close[] = []

/** For what a file opens in a hook or a test, where Vitest hears no afterAll any more. The last opened is closed first. */
export function whenFileEnds(close: Close): void {
  open.push(close)
}

export async function endFile(): Promise<void> {
  for (const close of open.splice(0).reverse()) await close()
}
