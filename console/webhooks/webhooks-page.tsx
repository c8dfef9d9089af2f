import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon } from '../parts/icons.tsx'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { useMay } from '../parts/may.ts'
import { Card, Page } from '../parts/page.tsx'
import { isolated } from '../parts/words/isolated.ts'
import { LockedNotice } from './locked-notice.tsx'
import { NoPermission } from './no-permission.tsx'
import { webhooksKey, webhooksQuery } from './queries.ts'
import { webhookColumns } from './webhook-columns.tsx'
import { NewWebhookDialog } from './webhook-dialog.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

export function WebhooksPage() {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  const { mayManage } = useMay()
  const [isMaking, dialog] = useDisclosure(false)
  return (
    <Page
      title="Webhooks"
      lead={`Addresses that each change of ${isolated(project.name)} is posted to, at least once and in order for each product.`}
      actions={
        mayManage && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={dialog.open}>
            New webhook
          </Button>
        )
      }
    >
      {mayManage ? <Webhooks project={project.id} /> : <NoPermission />}
      {isMaking && <NewWebhook project={project.id} close={dialog.close} />}
    </Page>
  )
}

function Webhooks({ project }: { project: number }) {
  const query = useQuery({ ...webhooksQuery(project), refetchInterval: 15_000 })
  return (
    <>
      <LockedNotice project={project} />
      <Card label="All webhooks" flush>
        <PagedList
          label="Webhooks"
          query={query}
          columns={webhookColumns(project)}
          page={1}
          go={() => query.refetch()}
          empty={
            <Empty title="No webhooks yet">
              A webhook tells another program of changes as they happen. Programs may also read the feed of
              events by themselves.
            </Empty>
          }
        />
      </Card>
    </>
  )
}

/** The dialog, and then the secret. */
function NewWebhook({ project, close }: { project: number; close: () => void }) {
  const queries = useQueryClient()
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined) return <WebhookSecret secret={secret} close={close} />
  return (
    <NewWebhookDialog
      project={project}
      done={(made) => {
        setSecret(made.secret)
        void queries.invalidateQueries({ queryKey: webhooksKey(project) })
      }}
      close={close}
    />
  )
}
