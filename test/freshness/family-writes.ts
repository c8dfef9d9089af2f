import type { Acknowledged, Client } from './client.ts'
import { type Family, firstPrice, registerOf, type Value, written } from './family.ts'
import type { Registers } from './registers.ts'

type Step = () => Promise<unknown>

/** The writes of the family's only writer, by what they change. Each call changes the value once. */
export function familyWrites(client: Client, registers: Registers, family: Family): Record<string, Step> {
  const { name, ids, category, roots } = family
  const turns = new Map<Value, number>()
  const latest = (value: Value) => turns.get(value) ?? 0

  /** Records the next turn of the values once the write is acknowledged. */
  async function change(
    values: Value[],
    write: (turn: number) => Promise<Acknowledged | undefined>,
  ): Promise<void> {
    const next = latest(values[0] as Value) + 1
    const done = await write(next)
    if (done === undefined) return
    for (const value of values) {
      turns.set(value, latest(value) + 1)
      registers.write([[registerOf(name, value), latest(value)]], done.interval)
    }
  }

  const at = (id: number) => `/v2/products/${id}`
  const adjust = (id: number) => () =>
    client.write('POST', `${at(id)}/inventory/adjust`, { delta: 1, reason: 'Delivery' })
  const single = (turn: number) => ({
    sku: `${name}-single`,
    attributes: { tag: written.tag(name, turn), family: name },
  })
  const added = (turn: number) => ({ sku: `${name}-${turn}`, name: 'Added', categories: [{ id: category }] })
  const bulk = async (line: object) => {
    const done = await client.write('POST', '/v2/products/bulk?on_error=abort', [line])
    return done?.body.summary.rejected === 0 ? done : undefined
  }

  /** Moves a product into the category by a merge. */
  async function merge(turn: number): Promise<Acknowledged | undefined> {
    const from = { name: `${name} merged ${turn}` }
    const made = await client.write('POST', '/v2/products', { ...added(turn), categories: [from] })
    const merged = made?.body.categories[0]?.id
    return merged && client.write('POST', `/v2/categories/${merged}/merge`, { into: category })
  }

  return {
    rename: () =>
      change(['name'], (turn) => client.write('PATCH', at(ids.single), { name: written.name(name, turn) })),
    replace: () =>
      change(['tag'], (turn) =>
        client.write('PUT', at(ids.single), {
          ...single(turn),
          name: written.name(name, latest('name')),
          categories: [{ id: category }],
          links: { related: [{ id: ids.variant }] },
        }),
      ),
    push: () => change(['tag'], (turn) => bulk(single(turn))),
    describe: () =>
      change(['text'], (turn) => client.write('PATCH', at(ids.parent), { description: written.text(turn) })),
    price: () =>
      change(['price'], (turn) => client.write('PATCH', at(ids.priced), { price: firstPrice + turn })),
    changeSku: () =>
      change(['sku'], (turn) => client.write('PATCH', at(ids.variant), { sku: written.sku(name, turn) })),
    adjustStock: () => change(['stock', 'total stock'], adjust(ids.variant)),
    adjustOther: () => change(['total stock'], adjust(ids.priced)),
    moveCategory: () =>
      change(['category'], (turn) =>
        client.write('PATCH', `/v2/categories/${category}`, {
          name: written.category(name, turn),
          parent: roots[turn % 2],
        }),
      ),
    create: () => change(['products'], (turn) => client.write('POST', '/v2/products', added(turn))),
    pushNew: () => change(['products'], (turn) => bulk(added(turn))),
    replaceNew: () =>
      change(['products'], (turn) => {
        const { sku, ...rest } = added(turn)
        return client.write('PUT', `/v2/products/by-sku/${sku}`, rest)
      }),
    mergeCategory: () => change(['products'], merge),
    addVariant: () =>
      change(['variants'], (turn) =>
        client.write('POST', '/v2/products', {
          sku: `${name}-size-${turn}`,
          name: 'Another size',
          parent: { id: ids.parent },
          attributes: { size: `X${turn}` },
          inventory: { quantity: 0 },
          price: firstPrice,
        }),
      ),
  }
}

/** Changes quality rules and attribute definitions of a project in turns. A background job computes the scores again. */
export function rulesetWrites(client: Client): ((turn: number) => Promise<unknown>)[] {
  return [
    (turn) =>
      client.write('PUT', '/v2/quality-rules', {
        rules: [{ code: `priced_${turn}`, kind: 'price_present', points: 1 + (turn % 100) }],
      }),
    (turn) =>
      client.write('PUT', '/v2/attributes', {
        attributes: [{ name: 'tag', type: 'text', label: `Tag ${turn}` }],
      }),
  ]
}
