import { startTransition, useEffect, useState } from 'react'

/** The page of the reference, from the hash of the URL. */
export type Route =
  | { kind: 'introduction'; section?: string }
  | { kind: 'tag'; tag: string }
  | { kind: 'operation'; id: string }

export function hrefOf(route: Route): string {
  if (route.kind === 'operation') return `#operation/${encodeURIComponent(route.id)}`
  if (route.kind === 'tag') return `#tag/${encodeURIComponent(route.tag)}`
  return route.section === undefined ? '#introduction' : `#section/${encodeURIComponent(route.section)}`
}

/** Undefined for other hashes, such as the target of the skip link. */
function routeOf(hash: string): Route | undefined {
  if (hash === '' || hash === '#introduction') return { kind: 'introduction' }
  const [, kind, encoded = ''] = /^#(\w+)\/(.+)$/.exec(hash) ?? []
  const name = decode(encoded)
  if (kind === 'operation') return { kind, id: name }
  if (kind === 'tag') return { kind, tag: name }
  return kind === 'section' ? { kind: 'introduction', section: name } : undefined
}

/** Accepts a URL that ends within an escape sequence. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function useRoute(): Route {
  const [route, setRoute] = useState<Route>(() => routeOf(location.hash) ?? { kind: 'introduction' })
  useEffect(() => {
    const follow = () => {
      const next = routeOf(location.hash)
      // Other hashes only move the focus. The URL keeps naming the page.
      if (next === undefined) history.replaceState(history.state, '', hrefOf(route))
      else startTransition(() => setRoute(next))
    }
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [route])
  return route
}
