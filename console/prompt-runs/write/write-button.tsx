import { Button, type ButtonProps } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { usePermissions } from '../../parts/permissions.ts'
import { lazyPart } from '../../routes/lazy-page.ts'
import { strings } from './strings.ts'
import type { Target } from './target.ts'

const loadDialog = lazyPart(() => import('./write-dialog.tsx'))
const WriteDialog = lazy(async () => ({ default: (await loadDialog()).WriteDialog }))

type Props = {
  target: Target
  size?: ButtonProps['size']
  /** Which of several buttons this is, for screen readers. */
  purpose?: string
}

/** Opens the dialog that starts a run. The code of the dialog is loaded when it is first opened. */
export function WriteButton({ target, size = 'sm', purpose }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { canWrite } = usePermissions()
  if (!canWrite) return null
  return (
    <>
      <Button
        variant="default"
        size={size}
        leftSection={<Icon name="prompt" size={15} />}
        onClick={() => setOpen(true)}
      >
        {strings.button}
        {purpose !== undefined && <span className="unseen"> {purpose}</span>}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <WriteDialog target={target} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
