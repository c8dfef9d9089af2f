/** Why a product links to others. */
export const linkKinds = ['related', 'upsell', 'cross_sell'] as const
export type LinkKind = (typeof linkKinds)[number]
