import type { Acknowledged, Client } from '../client.ts'
import { firstPrice, written } from '../family-values.ts'
import { applyPrepared } from './proposals.ts'
import type { Steps, Writer } from './writer.ts'

/** Changes of products that exist. */
export function productWrites(writer: Writer): Steps {
  return { ...singleWrites(writer), ...variantWrites(writer) }
}

const pathOf = (id: number) => `/v2/products/${id}`

export async function push(client: Client, line: object): Promise<Acknowledged | undefined> {
  const done = await client.write('POST', '/v2/products/bulk?on_error=abort', [line])
  return done?.body.summary.rejected === 0 ? done : undefined
}

function singleWrites({ client, commands, change, latest, family: { name, ids, category } }: Writer): Steps {
  const line = (turn: number) => ({
    sku: `${name}-single`,
    attributes: { tag: written.tag(name, turn), family: name },
  })
  return {
    rename: () =>
      change(['name'], (turn) =>
        client.write('PATCH', pathOf(ids.single), { name: written.name(name, turn) }),
      ),
    replace: () =>
      change(['tag'], (turn) =>
        client.write('PUT', pathOf(ids.single), {
          ...line(turn),
          name: written.name(name, latest('name')),
          categories: [{ id: category }],
          links: { related: [{ id: ids.variant }] },
        }),
      ),
    push: () => change(['tag'], (turn) => push(client, line(turn))),
    import: () => change(['tag'], (turn) => commands.importLine(line(turn))),
  }
}

function variantWrites({ client, change, family: { name, ids } }: Writer): Steps {
  const adjust = (id: number) => () =>
    client.write('POST', `${pathOf(id)}/inventory/adjust`, { delta: 1, reason: 'Delivery' })
  return {
    describe: () =>
      change(['text'], (turn) =>
        client.write('PATCH', pathOf(ids.parent), { description: written.text(turn) }),
      ),
    price: () =>
      change(['price'], (turn) => client.write('PATCH', pathOf(ids.priced), { price: firstPrice + turn })),
    editPrice: () =>
      change(['price'], async (turn) => {
        const edits = [{ field: 'price', op: 'set', value: firstPrice + turn }]
        const filter = `sku=${name}-priced`
        return applyPrepared(
          client,
          await client.write('POST', '/v2/proposals/from-filter', { filter, edits }),
        )
      }),
    changeSku: () =>
      change(['sku'], (turn) => client.write('PATCH', pathOf(ids.variant), { sku: written.sku(name, turn) })),
    adjustStock: () => change(['stock', 'total stock'], adjust(ids.variant)),
    adjustOther: () => change(['total stock'], adjust(ids.priced)),
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
