/** Products are written after those that they name: first those that name none, then variants, then bundles and groups. */
export type WriteTurn = 0 | 1 | 2

/** Of what a body says of a product, which may be wrong otherwise. */
export function turnOf(product: unknown): WriteTurn {
  const { parent, components } = (product ?? {}) as { parent?: unknown; components?: unknown }
  if (Array.isArray(components) && components.length > 0) return 2
  return (parent ?? null) === null ? 0 : 1
}
