/** Resolves when there is room for so many bytes, with the function that gives the room back. First come, first served. */
export type Admission = (bytes: number) => Promise<() => void>

export function admitBytes(total: number): Admission {
  let free = total
  const waiting: { bytes: number; enter: () => void }[] = []

  function admitWaiting(): void {
    for (let first = waiting[0]; first !== undefined && first.bytes <= free; first = waiting[0]) {
      waiting.shift()
      free -= first.bytes
      first.enter()
    }
  }

  return async (wanted) => {
    const bytes = Math.min(wanted, total)
    await new Promise<void>((enter) => {
      waiting.push({ bytes, enter })
      admitWaiting()
    })
    return () => {
      free += bytes
      admitWaiting()
    }
  }
}
