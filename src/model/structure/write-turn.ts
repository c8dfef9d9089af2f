/** Products are written after those that they reference: first products without references, then variants, then bundles and groups. */
export type WriteTurn = 0 | 1 | 2

/** Reads the turn from a body that may be invalid. */
export function turnOf(product: unknown): WriteTurn {
  const { parent, components } = (product ?? {}) as { parent?: unknown; components?: unknown }
  if (Array.isArray(components) && components.length > 0) return 2
  return (parent ?? null) === null ? 0 : 1
}
