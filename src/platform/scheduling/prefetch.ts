/** Reads the next item while the caller uses the current one. */
export async function* prefetch<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let next = items.next()
  for (;;) {
    const { done, value } = await next
    if (done === true) return
    next = items.next()
    // The error is thrown when the item is awaited.
    next.catch(() => {})
    yield value
  }
}
