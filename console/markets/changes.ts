import { remove, write } from '../network.ts'
import type { Market, MarketInput } from '../wire.ts'
import { marketsPath } from './market-queries.ts'

export const putMarket = (project: number, code: string, body: MarketInput) =>
  write<Market>('PUT', marketsPath(project, `/${encodeURIComponent(code)}`), body)

export const deleteMarket = (project: number, code: string) =>
  remove(marketsPath(project, `/${encodeURIComponent(code)}`))

/** Removing the values of many products takes long. A repeated request continues. */
const eraseSeconds = 600

/** Also removes the values that products have in it. */
export const eraseMarket = (project: number, code: string) =>
  remove(marketsPath(project, `/${encodeURIComponent(code)}?erase=true`), eraseSeconds)
