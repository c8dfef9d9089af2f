import { startTransition, useEffect, useState } from 'react'

/** What of the reference is shown; the part of the address after `#` says it. */
export type Route =
  | { kind: 'introduction'; section?: string }
  | { kind: 'tag'; tag: string }
  | { kind: 'operation'; id: string }

export function hrefOf(place: Route): string {
  if (place.kind === 'operation') return `#operation/${encodeURIComponent(place.id)}`
  if (place.kind === 'tag') return `#tag/${encodeURIComponent(place.tag)}`
  return place.section === undefined ? '#introduction' : `#section/${encodeURIComponent(place.section)}`
}

/** Undefined for what is no place of the reference, such as the target of the skip link. */
function routeOf(hash: string): Route | undefined {
  if (hash === '' || hash === '#introduction') return { kind: 'introduction' }
  const [, kind, encoded = ''] = /^#(\w+)\/(.+)$/.exec(hash) ?? []
  const name = decode(encoded)
  if (kind === 'operation') return { kind, id: name }
  if (kind === 'tag') return { kind, tag: name }
  return kind === 'section' ? { kind: 'introduction', section: name } : undefined
}

/** An address that somebody cut off in the middle of an escape is looked up as it stands. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function useRoute(): Route {
  const [place, setPlace] = useState<Route>(() => routeOf(location.hash) ?? { kind: 'introduction' })
  useEffect(() => {
    const follow = () => {
      const next = routeOf(location.hash)
      // What is no place moves the focus alone: the address goes on naming what is shown.
      if (next === undefined) history.replaceState(history.state, '', hrefOf(place))
      else startTransition(() => setPlace(next))
    }
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [place])
  return place
}
