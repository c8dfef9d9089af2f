import { createContext, use } from 'react'

/** What stands before any page: the frame shows it, and a page may ask for it. */
type Overlays = { jump: () => void; showKeys: () => void }

export const OverlaysContext = createContext<Overlays>({ jump: () => {}, showKeys: () => {} })

export function useOverlays(): Overlays {
  return use(OverlaysContext)
}
