/** A map with a maximum size. It drops the value that was set longest ago, and calls `onDrop` for it. */
export function boundedMap<Key, Value>(most: number, onDrop: (value: Value) => void = () => {}) {
  const values = new Map<Key, Value>()
  function dropFirst(): void {
    const first = values.entries().next().value
    if (first === undefined) return
    values.delete(first[0])
    onDrop(first[1])
  }
  return {
    has: (key: Key): boolean => values.has(key),
    get: (key: Key): Value | undefined => values.get(key),
    set(key: Key, value: Value): void {
      values.delete(key)
      if (values.size >= most) dropFirst()
      values.set(key, value)
    },
    delete: (key: Key): void => void values.delete(key),
  }
}
