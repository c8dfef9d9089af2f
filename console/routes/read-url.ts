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

/** A list that is searched: the words, and the page of what they find. */
export const searched = ({
  search,
  ...rest
}: Record<string, unknown>): { page?: number; search?: string } => ({
  ...paged(rest),
  ...(search !== undefined && search !== '' && { search: String(search) }),
})

/** The value of the address where it is one of those that there are. */
export function oneOf<Value extends string>(values: readonly Value[], given: unknown): Value | undefined {
  return values.find((value) => value === given)
}

/** A view of a list, and nothing else that an address says: the router would hand on what is left out. */
export function only<View extends object>(search: Record<string, unknown>, view: View): View {
  const unread = Object.fromEntries(Object.keys(search).map((name) => [name, undefined]))
  return { ...unread, ...view }
}
