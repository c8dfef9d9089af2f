import type { UseQueryResult } from '@tanstack/react-query'

/** Waits for both queries. */
export function combineQueries<Data>(
  one: UseQueryResult<Data>,
  other: UseQueryResult<Data>,
): UseQueryResult<[Data, Data]> {
  const late = one.data === undefined || one.error !== null ? one : other
  const data = one.data === undefined || other.data === undefined ? undefined : [one.data, other.data]
  return { ...late, data } as UseQueryResult<[Data, Data]>
}
