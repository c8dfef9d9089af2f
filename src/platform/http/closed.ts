/** Option for objects without additional properties: `Type.Object({ … }, closed)`. */
export const closed = { additionalProperties: false } as const
