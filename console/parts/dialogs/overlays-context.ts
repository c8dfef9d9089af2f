import { createContext, use } from 'react'

/** Overlays that the frame renders and any page can open. */
type Overlays = { jump: () => void; showKeys: () => void }

export const OverlaysContext = createContext<Overlays>({ jump: () => {}, showKeys: () => {} })

export function useOverlays(): Overlays {
  return use(OverlaysContext)
}
