/** What a record has under a name that somebody chose: an attribute may be called `constructor`, which every object answers to. */
export function ownValue<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
