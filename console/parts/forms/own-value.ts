/**
 * Reads an own property. User-defined names, such as the attribute `constructor`, can also exist on the prototype.
 */
export function ownValue<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
