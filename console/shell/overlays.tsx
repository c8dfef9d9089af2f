import { useHotkeys } from '@mantine/hooks'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { OverlaysContext } from '../parts/dialogs/overlays-context.ts'
import { notifyError } from '../parts/notify.ts'
import { isBehindDialog, useKeys } from '../parts/use-keys.ts'
import { lazyPart } from '../routes/lazy-page.ts'
import type { SessionProject } from '../wire.ts'
import { bufferKeys } from './buffered-keys.ts'

const loadPalette = lazyPart(() => import('../palette/palette.tsx'))
const loadKeys = lazyPart(() => import('./keys-dialog.tsx'))
type Code = Partial<Awaited<ReturnType<typeof loadPalette>> & Awaited<ReturnType<typeof loadKeys>>>

type Props = { project: SessionProject | undefined; children: ReactNode }

/** The palette and the shortcuts dialog, over any page. Their code is loaded on first use. */
export function Overlays({ project, children }: Props) {
  const [{ Palette, KeysDialog }, show] = useState<Code>({})
  const close = () => show({})
  const bufferedKeys = useRef((): string => '')
  const overlays = useMemo(() => {
    // An open dialog may have unsaved input.
    const open = (load: () => Promise<Code>) =>
      load().then((code) => {
        if (isBehindDialog()) bufferedKeys.current()
        else show(code)
      }, failed)
    const failed = (error: Error) => {
      bufferedKeys.current()
      notifyError(error)
    }
    const jump = () => {
      if (isBehindDialog()) return
      bufferedKeys.current()
      bufferedKeys.current = bufferKeys()
      void open(loadPalette)
    }
    return { jump, showKeys: () => void (isBehindDialog() || open(loadKeys)) }
  }, [])
  // Also while the user types.
  useHotkeys([['mod+K', Palette === undefined ? overlays.jump : close]], [], true)
  useKeys({ '?': overlays.showKeys, '/': focusSearch })
  return (
    <OverlaysContext value={overlays}>
      {children}
      {Palette !== undefined && <Palette project={project} bufferedKeys={bufferedKeys} close={close} />}
      {KeysDialog !== undefined && <KeysDialog isViewer={project?.role === 'viewer'} close={close} />}
    </OverlaysContext>
  )
}

/** Focuses the search of the page, if it has one. */
function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('main input[type=search]')
  search?.focus()
  search?.select()
  return search !== null
}
