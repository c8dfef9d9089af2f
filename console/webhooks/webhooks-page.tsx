import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { isolate } from '../parts/format/isolate.ts'
import { Icon } from '../parts/icons.tsx'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { LockedNotice } from './locked-notice.tsx'
import { NoWebhookPermission } from './no-permission.tsx'
import { webhooksKey, webhooksQuery } from './queries.ts'
import { strings } from './strings.ts'
import { webhookColumns } from './webhook-columns.tsx'
import { NewWebhookDialog } from './webhook-dialog.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

export function WebhooksPage() {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  const { canManage } = usePermissions()
  const [isCreating, dialog] = useDisclosure(false)
  return (
    <Page
      title={strings.page.title}
      lead={strings.page.lead(isolate(project.name))}
      actions={
        canManage && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={dialog.open}>
            {strings.page.new}
          </Button>
        )
      }
    >
      {canManage ? <Webhooks project={project.id} /> : <NoWebhookPermission />}
      {isCreating && <NewWebhook project={project.id} close={dialog.close} />}
    </Page>
  )
}

function Webhooks({ project }: { project: number }) {
  const query = useQuery({ ...webhooksQuery(project), refetchInterval: 15_000 })
  return (
    <>
      <LockedNotice project={project} />
      <Card label={strings.page.label} flush>
        <PagedList
          label={strings.page.title}
          query={query}
          columns={webhookColumns(project)}
          page={1}
          go={() => query.refetch()}
          empty={<Empty title={strings.page.empty}>{strings.page.emptyHint}</Empty>}
        />
      </Card>
    </>
  )
}

function NewWebhook({ project, close }: { project: number; close: () => void }) {
  const queries = useQueryClient()
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined) return <WebhookSecret secret={secret} close={close} />
  return (
    <NewWebhookDialog
      project={project}
      done={(created) => {
        setSecret(created.secret)
        void queries.invalidateQueries({ queryKey: webhooksKey(project) })
      }}
      close={close}
    />
  )
}
