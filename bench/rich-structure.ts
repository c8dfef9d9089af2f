import { summarise } from './load.ts'
import { linesPerPush, product, push, type Side, type Structure, send, type Target } from './rich-shop.ts'
import { readText } from './shop.ts'

const parents = 200
const variantsEach = 20
const mostVariants = 2_000
/** Parents that have no variants until some are pushed. */
const emptyParents = 250
const turns = 200

const parent = (sku: string) => ({
  ...product(true, 1),
  sku,
  product_type: 'configurable',
  variant_axes: ['place', 'finish'],
  inventory: {},
})

/** It leaves its description to its parent. */
function variant(of: string, number: number) {
  const { attributes, ...rest } = product(true, number)
  return {
    ...rest,
    sku: `${of}-V${number}`,
    description: '',
    parent: { sku: of },
    attributes: { ...attributes, place: number, finish: `finish ${number % 5}` },
  }
}

const many = <Value>(length: number, make: (number: number) => Value) =>
  Array.from({ length }, (_, number) => make(number))

/** Parents with 20 variants, one with 2,000, and bundles of five of them. */
export async function addStructure(target: Target): Promise<Structure> {
  const named = [...many(parents, (number) => `P-${number}`), 'LARGE', ...many(emptyParents, emptySku)]
  await push(target, named.map(parent))
  await push(
    target,
    many(parents * variantsEach, (number) => variant(`P-${number % parents}`, number)),
  )
  await push(
    target,
    many(mostVariants, (number) => variant('LARGE', number)),
  )
  const bundle = (number: number) => ({
    ...product(true, number),
    sku: `B-${number}`,
    product_type: 'bundle',
    inventory: {},
    components: many(5, (at) => ({ sku: `P-${at}-V${number * parents + at}`, quantity: 1 })),
  })
  await push(target, many(variantsEach, bundle))
  const idsOf = async (query: string) =>
    (await send(target, 'GET', `/v2/products?page_size=500&${query}`)).results.map(({ id }) => id)
  return {
    parents: (await idsOf('product_type=configurable')).slice(0, parents),
    variants: await idsOf('parent__isnull=false'),
    bundles: await idsOf('product_type=bundle'),
    largest: (await idsOf('sku=LARGE'))[0] as number,
  }
}

const emptySku = (number: number) => `Q-${number}`

/** New variants, a few of each of many parents; where there are none, as many plain products. */
export function variantLines({ isRich }: Side, from: number): object[] {
  return many(linesPerPush, (at) =>
    isRich ? variant(emptySku(at % emptyParents), from + at) : product(false, from + at),
  )
}

/** Milliseconds of a detail of the parent with 2,000 variants, asked for by one client. */
export async function timeLargest(side: Side): Promise<{ p50: number; p99: number }> {
  const path = `/v2/products/${side.structure?.largest}`
  const times: number[] = []
  await readText(side, path)
  for (let turn = 0; turn < turns; turn += 1) {
    const started = performance.now()
    await readText(side, path)
    times.push(performance.now() - started)
  }
  return summarise(times, 1)
}
