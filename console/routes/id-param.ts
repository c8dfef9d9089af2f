import { notFound } from '@tanstack/react-router'
import { readId } from './read-url.ts'

/** A path parameter that is an ID. */
export const idParams = <Name extends string>(name: Name) => ({
  parse: (params: Record<Name, string>) => ({ [name]: readId(params[name]) }) as Record<Name, number>,
  stringify: (params: Record<Name, number>) => ({ [name]: String(params[name]) }) as Record<Name, string>,
})

export function requireId(id: number): void {
  if (id === 0) throw notFound()
}
