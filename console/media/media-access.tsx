import { Anchor } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { notifySuccess } from '../parts/notify.ts'
import { usePermissions } from '../parts/permissions.ts'
import { sessionQuery } from '../queries.ts'
import type { SessionProject } from '../wire.ts'
import { setMediaAccess } from './changes.ts'
import styles from './media.module.css'
import { accessQuery } from './queries.ts'
import { strings } from './strings.ts'

/** Shows who can read the files. Managers can change it. */
export function MediaAccess({ project: { id, public_media } }: { project: SessionProject }) {
  const { canManage } = usePermissions()
  const { data } = useQuery({ ...accessQuery(id), enabled: canManage })
  const [isAsking, ask] = useState(false)
  const next = data?.media === 'public' ? 'private' : 'public'
  return (
    <p className={styles.hint}>
      {public_media
        ? strings.access.public
        : data?.media === 'public'
          ? strings.access.noApi
          : strings.access.private}{' '}
      {data !== undefined && (
        <Anchor component="button" type="button" inherit onClick={() => ask(true)}>
          {strings.access.make[next]}
        </Anchor>
      )}
      {isAsking && <AccessDialog project={id} next={next} close={() => ask(false)} />}
    </p>
  )
}

type DialogProps = { project: number; next: 'public' | 'private'; close: () => void }

function AccessDialog({ project, next, close }: DialogProps) {
  const queries = useQueryClient()
  const router = useRouter()
  return (
    <ConfirmDialog
      title={strings.access.title[next]}
      action={strings.access.action[next]}
      danger={next === 'public'}
      close={close}
      run={async () => {
        await setMediaAccess(project, next)
        await queries.invalidateQueries({ queryKey: accessQuery(project).queryKey })
        // Pages read from the session whether pictures have public URLs.
        await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
        await router.invalidate()
        notifySuccess(strings.access.done[next])
        close()
      }}
    >
      {strings.access.text[next]}
    </ConfirmDialog>
  )
}
