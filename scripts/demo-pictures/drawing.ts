/** What a picture shows: the color of its variant, and the name of the variant. */
export type Variant = { color: string; name: string }
export type Drawings = Record<string, (variant: Variant) => string>
