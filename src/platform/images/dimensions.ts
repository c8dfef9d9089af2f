export type Dimensions = { width: number; height: number }

/** Returns exactly that many bytes of a file, or throws. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>
