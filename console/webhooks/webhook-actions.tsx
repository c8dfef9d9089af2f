import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { RotateDialog } from '../parts/dialogs/rotate-dialog.tsx'
import { sayDone } from '../parts/done.ts'
import type { Webhook } from '../wire.ts'
import { deleteWebhook, disableWebhook, rotateWebhook } from './changes.ts'
import { webhooksKey } from './queries.ts'
import { EnableDialog, ReplayDialog } from './start-point-dialogs.tsx'
import { TestDialog } from './test-dialog.tsx'
import { EditWebhookDialog } from './webhook-dialog.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

/** What is being done to a webhook. */
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
  act: WebhookAction
  next: (act: WebhookAction | undefined) => void
}

/** The dialog of the act. */
export function WebhookActionDialog({ project, webhook, act, next }: Props) {
  const queries = useQueryClient()
  const refresh = () => void queries.invalidateQueries({ queryKey: webhooksKey(project) })
  const close = () => next(undefined)
  const said = (message: string) => () => {
    refresh()
    sayDone(message)
    close()
  }
  const props = { project, webhook, close }
  if (typeof act === 'object') return <WebhookSecret secret={act.secret} close={close} />
  switch (act) {
    case 'test':
      return <TestDialog project={project} id={webhook.id} close={close} />
    case 'edit':
      return <EditWebhookDialog {...props} done={said('The webhook is changed.')} />
    case 'replay':
      return <ReplayDialog {...props} done={said('The events are delivered again.')} />
    case 'disable':
      return (
        <ConfirmDialog
          title="Disable the webhook?"
          action="Disable webhook"
          close={close}
          run={async () => {
            await disableWebhook(project, webhook.id)
            said('The webhook is disabled.')()
          }}
        >
          Nothing is posted to {webhook.url} until it is enabled again. Events are kept meanwhile.
        </ConfirmDialog>
      )
    case 'enable':
      return <EnableDialog {...props} done={said('The webhook is enabled.')} />
    case 'rotate':
      return (
        <RotateDialog
          title="Rotate the secret"
          noun="secret"
          rotate={(overlap) => rotateWebhook(project, webhook.id, overlap)}
          done={({ secret }) => {
            next({ secret })
            refresh()
          }}
          close={close}
        >
          A new secret takes over. During the overlap each event has two signatures, by the old secret and by
          the new one, so that the receiver can change over without a gap.
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
      title="Delete the webhook?"
      action="Delete webhook"
      danger
      close={close}
      run={async () => {
        await deleteWebhook(project, webhook.id)
        sayDone('The webhook is deleted.')
        await navigate({
          to: '/projects/$projectId/settings/webhooks',
          params: { projectId: project },
          replace: true,
        })
        refresh()
      }}
    >
      Nothing is posted to {webhook.url} any more, and its attempts and parked events go along. This cannot be
      undone.
    </ConfirmDialog>
  )
}
