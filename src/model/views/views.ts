/** A language, a channel or a price list of a project. */
export type ViewDefinition = {
  code: string
  label: string
  locale: string | null
  /** ISO 4217. */
  currency: string
  falls_back_to: readonly string[]
  /** Fields that are missing if the view has no value, such as `name` or `attributes.color`. */
  requires: readonly string[]
}

/** The definitions as a ruleset stores them, with the currency of the project, which never changes. */
export type StoredViews = {
  currency: string
  definitions: readonly ViewDefinition[]
  /** When each view got its currency, by code. */
  currency_since?: Readonly<Record<string, string>>
}

/** A view, and the views that its values come from: itself first. The base follows the last one. */
export type View = ViewDefinition & { chain: readonly string[] }

export type Views = {
  currency: string
  byCode: ReadonlyMap<string, View>
  /** When each view got its currency. Earlier amounts may be in another one. */
  currencySince: ReadonlyMap<string, string>
}

/** The view that a request names, with all views of the project. */
export type ChosenView = { view: View; views: Views }

/** Undefined if there are none. */
export function compileViews(stored: StoredViews | null): Views | undefined {
  if (stored === null || stored.definitions.length === 0) return undefined
  const { currency, definitions, currency_since = {} } = stored
  const byCode = new Map(definitions.map((view) => [view.code, view]))
  return {
    currency,
    byCode: new Map(definitions.map((view) => [view.code, { ...view, chain: chainOf(byCode, view.code) }])),
    currencySince: new Map(Object.entries(currency_since)),
  }
}

type Fallbacks = ReadonlyMap<string, Pick<ViewDefinition, 'falls_back_to'>>

/** Depth first; each view once. A view that does not exist is left out. */
export function chainOf(views: Fallbacks, code: string): string[] {
  const chain = new Set<string>()
  const add = (one: string) => {
    const view = views.get(one)
    if (view === undefined || chain.has(one)) return
    chain.add(one)
    for (const next of view.falls_back_to) add(next)
  }
  add(code)
  return [...chain]
}

/** The path of views by which a view falls back to itself; undefined if it does not. */
export function findCycle(views: Fallbacks, code: string): string[] | undefined {
  const seen = new Set<string>()
  const follow = (one: string, path: string[]): string[] | undefined => {
    if (one === code && path.length > 0) return [...path, one]
    if (seen.has(one)) return undefined
    seen.add(one)
    for (const next of views.get(one)?.falls_back_to ?? []) {
      const found = follow(next, [...path, one])
      if (found !== undefined) return found
    }
    return undefined
  }
  return follow(code, [])
}
