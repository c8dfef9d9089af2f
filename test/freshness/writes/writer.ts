import type { Acknowledged, Client } from '../client.ts'
import type { Family } from '../family.ts'
import { registerOf, type Value } from '../family-values.ts'
import type { Registers } from '../registers.ts'
import type { Commands } from './command-writes.ts'

/** Writes by what they change. */
export type Steps = Record<string, () => Promise<unknown>>
type Write = (turn: number) => Promise<Acknowledged | undefined>
export type Writer = ReturnType<typeof openWriter>

/** The only writer of a family. */
export function openWriter(client: Client, commands: Commands, registers: Registers, family: Family) {
  const turns = new Map<Value, number>()
  const latest = (value: Value) => turns.get(value) ?? 0
  return {
    client,
    commands,
    registers,
    family,
    /** The last turn of the value. */
    latest,
    /** Writes the next turn of the first value, and records the next turn of all values once the write is acknowledged. */
    async change(values: [Value, ...Value[]], write: Write): Promise<Acknowledged | undefined> {
      const done = await write(latest(values[0]) + 1)
      if (done === undefined) return undefined
      for (const value of values) {
        turns.set(value, latest(value) + 1)
        registers.write([[registerOf(family.name, value), latest(value)]], done.interval)
      }
      return done
    },
  }
}
