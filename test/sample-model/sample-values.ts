import { hash } from 'node:crypto'

type Property = {
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Property[]
  items?: Property
}
export type Schema = { properties?: Record<string, Property> }

const openings = ['Meet', 'Discover', 'This is', 'Here is', 'Introducing']
const qualities = ['carefully made', 'made to last', 'easy to care for', 'light and sturdy', 'ready to use']
const endings = [
  'It fits every day.',
  'A good choice for home.',
  'You will use it often.',
  'It makes a fine gift.',
]

/** Plausible values that depend only on the prompt, so that a repeated call returns the same. */
export function sampleValues(schema: Schema, prompt: string, isWrong = false): Record<string, unknown> {
  const subject = subjectOf(prompt)
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [
      name,
      sampleValue(property, `${name} ${prompt}`, name, subject, isWrong),
    ]),
  )
}

function sampleValue(
  given: Property,
  seed: string,
  name: string,
  subject: string,
  isWrong: boolean,
): unknown {
  const property = given.anyOf?.find(({ type }) => type !== 'null') ?? given
  const choices = property.enum?.filter((choice) => choice !== null)
  if (choices !== undefined && choices.length > 0)
    return isWrong ? 'not one of the choices' : choices[pick(seed, choices.length)]
  const type = [property.type ?? 'string'].flat().find((one) => one !== 'null')
  if (type === 'boolean') return pick(seed, 2) === 1
  if (type === 'integer' || type === 'number') return numberIn(seed)
  if (type === 'array') return [sampleValue(property.items ?? {}, seed, name, subject, isWrong)]
  return textFor(name, subject, seed)
}

function textFor(name: string, subject: string, seed: string): string {
  const quality = qualities[pick(seed, qualities.length)]
  if (name.includes('description')) {
    const opening = openings[pick(`${seed} opening`, openings.length)]
    const ending = endings[pick(`${seed} ending`, endings.length)]
    const short = `${opening} ${subject}, ${quality}.`
    return name.includes('short') ? short : `${short} ${ending}`
  }
  return name === 'name' ? `${subject}, ${quality}` : `${quality}`
}

/** A name in the prompt, or the beginning of its last line. */
function subjectOf(prompt: string): string {
  const text = prompt.replaceAll(/<[^>]*>/g, ' ')
  const named = /\bname\b["':\s]+([^\n"]{2,60})/i.exec(text)?.[1]
  const last = text.trim().split('\n').at(-1) ?? ''
  return (named ?? last).trim().slice(0, 60).trim() || 'this product'
}

function numberIn(text: string): number {
  return Number(/\d{1,6}/.exec(text)?.[0] ?? pick(text, 100) + 1)
}

function pick(seed: string, count: number): number {
  return Number.parseInt(hash('sha256', seed).slice(0, 8), 16) % count
}
