import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { RotateDialog } from '../parts/dialogs/rotate-dialog.tsx'
import { notifySuccess } from '../parts/notify.ts'
import type { Webhook } from '../wire.ts'
import { deleteWebhook, disableWebhook, rotateWebhook } from './changes.ts'
import { webhooksKey } from './queries.ts'
import { EnableDialog, ReplayDialog } from './start-point-dialogs.tsx'
import { strings } from './strings.ts'
import { TestDialog } from './test-dialog.tsx'
import { EditWebhookDialog } from './webhook-dialog.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

export type WebhookAction =
  | 'test'
  | 'edit'
  | 'rotate'
  | 'replay'
  | 'disable'
  | 'enable'
  | 'delete'
  | { secret: string }

type Props = {
  project: number
  webhook: Webhook
  action: WebhookAction
  next: (action: WebhookAction | undefined) => void
}

export function WebhookActionDialog({ project, webhook, action, next }: Props) {
  const queries = useQueryClient()
  const refresh = () => void queries.invalidateQueries({ queryKey: webhooksKey(project) })
  const close = () => next(undefined)
  const report = (message: string) => () => {
    refresh()
    notifySuccess(message)
    close()
  }
  const props = { project, webhook, close }
  if (typeof action === 'object') return <WebhookSecret secret={action.secret} close={close} />
  switch (action) {
    case 'test':
      return <TestDialog project={project} id={webhook.id} close={close} />
    case 'edit':
      return <EditWebhookDialog {...props} done={report(strings.form.changed)} />
    case 'replay':
      return <ReplayDialog {...props} done={report(strings.replay.done)} />
    case 'disable':
      return (
        <ConfirmDialog
          title={strings.disable.title}
          action={strings.disable.action}
          close={close}
          run={async () => {
            await disableWebhook(project, webhook.id)
            report(strings.disable.done)()
          }}
        >
          {strings.disable.text(webhook.url)}
        </ConfirmDialog>
      )
    case 'enable':
      return <EnableDialog {...props} done={report(strings.enable.done)} />
    case 'rotate':
      return (
        <RotateDialog
          title={strings.rotate.title}
          noun={strings.rotate.noun}
          rotate={(overlap) => rotateWebhook(project, webhook.id, overlap)}
          done={({ secret }) => {
            next({ secret })
            refresh()
          }}
          close={close}
        >
          {strings.rotate.text}
        </RotateDialog>
      )
    case 'delete':
      return <DeleteDialog {...props} refresh={refresh} />
  }
}

type DeleteProps = Pick<Props, 'project' | 'webhook'> & { refresh: () => void; close: () => void }

function DeleteDialog({ project, webhook, refresh, close }: DeleteProps) {
  const navigate = useNavigate()
  return (
    <ConfirmDialog
      title={strings.delete.title}
      action={strings.delete.action}
      danger
      close={close}
      run={async () => {
        await deleteWebhook(project, webhook.id)
        notifySuccess(strings.delete.done)
        await navigate({
          to: '/projects/$projectId/settings/webhooks',
          params: { projectId: project },
          replace: true,
        })
        refresh()
      }}
    >
      {strings.delete.text(webhook.url)}
    </ConfirmDialog>
  )
}
