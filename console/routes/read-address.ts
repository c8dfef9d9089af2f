/** 0 where it is no id: not NaN, which differs from itself, so that the page would never be done. */
export function readId(text: string): number {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
}

export const projectParams = {
  parse: ({ projectId }: { projectId: string }) => ({ projectId: readId(projectId) }),
  stringify: ({ projectId }: { projectId: number }) => ({ projectId: String(projectId) }),
}

export const paged = ({ page }: Record<string, unknown>): { page?: number } =>
  Number.isSafeInteger(page) && (page as number) > 1 ? { page: page as number } : {}

export function isWholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}
