import type { Acknowledged } from '../client.ts'
import { existenceOf, type Value, written } from '../family-values.ts'
import { push } from './product-writes.ts'
import type { Steps, Writer } from './writer.ts'

/** Changes of what lists and the category tree contain. */
export function listWrites(writer: Writer): Steps {
  return { ...additions(writer), ...removals(writer) }
}

function additions({ client, change, family: { name, category, roots } }: Writer): Steps {
  const added = (turn: number) => ({ sku: `${name}-${turn}`, name: 'Added', categories: [{ id: category }] })

  /** Moves a product into the category by a merge. */
  async function merge(turn: number): Promise<Acknowledged | undefined> {
    const from = { name: `${name} merged ${turn}` }
    const made = await client.write('POST', '/v2/products', { ...added(turn), categories: [from] })
    const merged = made?.body.categories[0]?.id
    return merged && client.write('POST', `/v2/categories/${merged}/merge`, { into: category })
  }

  return {
    moveCategory: () =>
      change(['category'], (turn) =>
        client.write('PATCH', `/v2/categories/${category}`, {
          name: written.category(name, turn),
          parent: roots[turn % 2],
        }),
      ),
    create: () => change(['products'], (turn) => client.write('POST', '/v2/products', added(turn))),
    pushNew: () => change(['products'], (turn) => push(client, added(turn))),
    replaceNew: () =>
      change(['products'], (turn) => {
        const { sku, ...rest } = added(turn)
        return client.write('PUT', `/v2/products/by-sku/${sku}`, rest)
      }),
    mergeCategory: () => change(['products'], merge),
  }
}

/** Writes that remove an object after they added the next one. */
function removals({ client, commands, registers, family, change, latest }: Writer): Steps {
  const { name, category } = family
  const nextOf = (value: Value) => latest(value) / 2 + 1

  async function growBranch(): Promise<void> {
    const body = { name: written.branch(name, nextOf('branch')), parent: category }
    const added = await change(['branch'], () => client.write('POST', '/v2/categories', body))
    if (added === undefined) return
    await change(['branch'], () => client.write('DELETE', `/v2/categories/${family.branch}`))
    family.branch = added.body.id
  }

  async function retire(): Promise<void> {
    const created = await client.write('POST', '/v2/products', written.retired(name, nextOf('retired')))
    if (created === undefined) return
    const { id } = created.body
    registers.write([[existenceOf(id), 0]], created.interval)
    await change(['retired'], () => client.write('PATCH', `/v2/products/${id}`, { status: 'archived' }))
    family.erased = family.retired
    const erased = await change(['retired'], () => commands.erase(family.erased))
    if (erased !== undefined) registers.write([[existenceOf(family.erased), 1]], erased.interval)
    family.retired = id
  }

  return { growBranch, retire }
}
