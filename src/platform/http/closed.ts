/** The option of an object that takes only the properties it names: `Type.Object({ … }, closed)`. */
export const closed = { additionalProperties: false } as const
