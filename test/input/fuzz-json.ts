import fc from 'fast-check'
import type { Schema } from '../requests/operations.ts'

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

/** Unusual JSON, or malformed JSON. */
const oddJson: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...['null', 'true', '0', '-0', '-1', '1.5', '1e3', '1e400', '-1e400', '1e-400', '1E+2', '2147483648'],
      ...['9007199254740992', '99999999999999999999', '0.1234567890123456789', '99999999.99995'],
      ...['""', '" "', '"a"', '"\\u0000"', '"\\ud800"', '"a\\udfff"', '"\\n"', '"\\u202e"', '"\\ufeff"'],
      ...['"__proto__"', '"%_\'; --"', '"1"', '"{{x}}"', '"(a+)+$"', '"[["', '"infinity"'],
      ...['[]', '{}', '[null]', '[[]]', '[1,1]', '{"__proto__":1}', '{"constructor":{"prototype":1}}'],
      ...['{"":1}', '{"a":1,"a":2}', '{"id":1,"id":2}', '{"\\u0000":1}', '{"id":null}', '{"sku":"S","id":1}'],
      ...['NaN', '01', '+1', 'undefined', "'a'", '"unclosed', '[1,]', '{"a"}', '"\t"', '/*c*/1'],
      ...[nested(31), nested(40), JSON.stringify('x'.repeat(70_000)), `"${'\u{1f600}'.repeat(300)}"`],
    ),
  },
  fc.json(),
  // Any characters. A string of the unit "binary" would build a table of all of them first.
  fc
    .array(fc.nat({ max: 0x10ffff }), { maxLength: 20 })
    .map((characters) => JSON.stringify(String.fromCodePoint(...characters))),
)

const words = fc.constantFrom(
  ...['S', 'K', 'C', 'sample', 'color', 'red', '1.0.0', 'name', 'price', 'attributes.color', 'status=active'],
  ...['https://shop.example/a.png', '2026-01-31T08:15:30Z', 'a@shop.example', 'S', 'é', 'e\u0301'],
)

/** JSON text that matches the schema, with occasional errors. */
export function jsonOf(schema: Schema, ids: readonly number[]): fc.Arbitrary<string> {
  const made: fc.Arbitrary<string> = fc.oneof(
    { weight: 14, arbitrary: fitting(schema, ids) },
    { weight: 1, arbitrary: oddJson },
  )
  const [example] = schema.examples ?? []
  return example === undefined ? made : fc.oneof({ weight: 2, arbitrary: made }, withOneError(example))
}

function fitting(schema: Schema, ids: readonly number[]): fc.Arbitrary<string> {
  const { anyOf, enum: choices, type } = schema
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((one) => jsonOf(one, ids)))
  if (choices !== undefined) return fc.constantFrom(...choices).map((choice) => JSON.stringify(choice))
  if (type === undefined) return oddJson
  return fc.oneof(...[type].flat().map((one) => ofType(one, schema, ids)))
}

function ofType(type: string, schema: Schema, ids: readonly number[]): fc.Arbitrary<string> {
  const { minimum = 0, maximum = 1000, maxLength = 100, items = {} } = schema
  if (type === 'null') return fc.constant('null')
  if (type === 'boolean') return fc.boolean().map(String)
  if (type === 'number' || type === 'integer')
    return fc
      .oneof(
        { weight: 4, arbitrary: fc.constantFrom(...ids, 1, 2) },
        fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1),
      )
      .map(String)
  if (type === 'string') {
    const longest = Math.min(maxLength, 20_000)
    const edges = fc.constantFrom('x'.repeat(longest), 'x'.repeat(longest + 1))
    return fc.oneof({ weight: 8, arbitrary: words }, edges).map((text) => JSON.stringify(text))
  }
  if (type === 'array')
    return fc.array(jsonOf(items, ids), { maxLength: 3 }).map((members) => `[${members.join()}]`)
  return objectOf(schema, ids)
}

const rarely = (arbitrary: fc.Arbitrary<string>, weight: number) =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

function objectOf(schema: Schema, ids: readonly number[]): fc.Arbitrary<string> {
  const { properties = {}, required = [], additionalProperties } = schema
  const members = Object.entries(properties).map(([name, property]) => {
    const member = jsonOf(property, ids).map((value) => `${JSON.stringify(name)}:${value}`)
    return required.includes(name) ? fc.option(member, { freq: 30, nil: undefined }) : rarely(member, 5)
  })
  if (typeof additionalProperties === 'object')
    for (const name of ['sample', 'color', '__proto__', 'constructor', '', 'a\u0000', 'x'.repeat(101)])
      members.push(
        rarely(
          jsonOf(additionalProperties, ids).map((value) => `${JSON.stringify(name)}:${value}`),
          4,
        ),
      )
  const stray = fc.constantFrom('"bogus":1', '"__proto__":{}', '"\\u0000":1', '"toString":1', '"sku":"S"')
  return fc.tuple(...members, rarely(stray, 15)).map((given) => {
    const [first, ...others] = given.filter((member) => member !== undefined)
    return `{${[first, ...others].filter((member) => member !== undefined).join()}}`
  })
}

const hole = '@hole@'

/** An example of the document with an unusual value in one place. */
function withOneError(example: unknown): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...placesOf(example)), oddJson)
    .map(([place, odd]) => JSON.stringify(replaced(example, place)).replace(`"${hole}"`, () => odd))
}

function placesOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]]
  const inside = Object.entries(value).flatMap(([key, one]) => placesOf(one).map((place) => [key, ...place]))
  return [[], ...inside]
}

function replaced(value: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined) return hole
  const inside = replaced((value as Record<string, unknown>)[key], rest)
  if (Array.isArray(value)) return value.with(Number(key), inside)
  return { ...(value as object), [key]: inside }
}
