/** 0 for an invalid ID. NaN would cause an endless loop, because it differs from itself. */
export function readId(text: string): number {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
}

export const paged = ({ page }: Record<string, unknown>): { page?: number } =>
  Number.isSafeInteger(page) && (page as number) > 1 ? { page: page as number } : {}

export function isWholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}

/** The parameters of a list with a search. */
export const searched = ({
  search,
  ...rest
}: Record<string, unknown>): { page?: number; search?: string } => ({
  ...paged(rest),
  ...(search !== undefined && search !== '' && { search: String(search) }),
})

/** The value if it is one of the known values. */
export function oneOf<Value extends string>(values: readonly Value[], given: unknown): Value | undefined {
  return values.find((value) => value === given)
}

/** Removes all other parameters: the router would keep omitted ones. */
export function only<View extends object>(search: Record<string, unknown>, view: View): View {
  const unread = Object.fromEntries(Object.keys(search).map((name) => [name, undefined]))
  return { ...unread, ...view }
}
