/** The kinds of links between products. */
export const linkKinds = ['related', 'upsell', 'cross_sell'] as const
export type LinkKind = (typeof linkKinds)[number]
