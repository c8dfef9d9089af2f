/** A map with a maximum size. It drops the value that was set longest ago. */
export function boundedMap<Key, Value>(most: number) {
  const values = new Map<Key, Value>()
  return {
    has: (key: Key): boolean => values.has(key),
    get: (key: Key): Value | undefined => values.get(key),
    set(key: Key, value: Value): void {
      values.delete(key)
      if (values.size >= most) values.delete(values.keys().next().value as Key)
      values.set(key, value)
    },
    delete: (key: Key): void => void values.delete(key),
  }
}
