/** The values of a family that writes change. Each only grows, and starts at 0. */
export const values = [
  'name',
  'tag',
  'text',
  'price',
  'sku',
  'stock',
  'total stock',
  'category',
  'products',
  'variants',
  'branch',
  'retired',
] as const
export type Value = (typeof values)[number]

export const registerOf = (family: string, value: Value) => `${value} of ${family}`

/** Version 0 exists, version 1 is erased. */
export const existenceOf = (id: number) => `existence of product ${id}`

/** The products, with the number of each change in the changed value. */
export const written = {
  name: (family: string, turn: number) => `${family}x n${turn}`,
  tag: (family: string, turn: number) => `${family} t${turn}`,
  text: (turn: number) => `Text ${turn}`,
  sku: (family: string, turn: number) => `${family}-variant-${turn}`,
  category: (family: string, turn: number) => `${family} c${turn}`,
  branch: (family: string, number: number) => `${family} branch ${number}`,
  retired: (family: string, number: number) => ({
    sku: `${family}-retired-${number}`,
    name: 'Retired',
    attributes: { family: `${family}-retired` },
  }),
}

export const firstPrice = 10

/** The number at the end of a value. */
export function turnOf(text: string): number {
  return Number(/\d+$/.exec(text)?.[0])
}

/** Of a sequence in which each object is added before the previous one is removed: the number of both changes so far. */
export function turnOfSequence(names: readonly string[]): number {
  const numbers = names.map(turnOf)
  return Math.min(...numbers) + Math.max(...numbers)
}
