import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { MissingPage } from '../pages/missing-page.tsx'
import { Icon } from '../parts/icons.tsx'
import { ListFilters } from '../parts/lists/list-filters.tsx'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { useSession } from '../session.ts'
import { changeColumns, invitationColumns, memberColumns } from './member-columns.tsx'
import { type MemberAction, MemberDialog } from './member-dialogs.tsx'
import { invitationsQuery, type MembersView, memberAuditQuery, membersQuery } from './queries.ts'
import { strings } from './strings.ts'

const route = '/signed-in/projects/$projectId/settings/members'

/** Other members do not see the page in the navigation. */
export function MembersPage() {
  return usePermissions().canManage ? <ManagedMembers /> : <MissingPage />
}

function ManagedMembers() {
  const { projectId } = useParams({ from: route })
  const [action, setAction] = useState<MemberAction>()
  return (
    <Page
      title={strings.title}
      lead={strings.lead}
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAction({ kind: 'invite' })}>
          {strings.invite}
        </Button>
      }
    >
      <Members project={projectId} begin={setAction} />
      <Invitations project={projectId} begin={setAction} />
      <Changes project={projectId} />
      {action !== undefined && <MemberDialog project={projectId} action={action} next={setAction} />}
    </Page>
  )
}

type Props = { project: number; begin: (action: MemberAction) => void }

function Members({ project, begin }: Props) {
  const view = useSearch({ from: route })
  const navigate = useNavigate()
  const { user } = useSession()
  const { page = 1, search = '' } = view
  const go = (next: MembersView, replace = false) =>
    navigate({ from: '/projects/$projectId/settings/members', search: next, replace })
  return (
    <Card label={strings.label} flush>
      <ListFilters
        label={strings.search}
        search={search}
        find={(text, isFirst) => go(text === '' ? {} : { search: text }, !isFirst)}
      />
      <PagedList
        label={strings.title}
        query={useQuery(membersQuery(project, view))}
        columns={memberColumns(begin, user.id)}
        page={page}
        go={(to) => go({ ...view, page: to })}
        empty={<Empty title={strings.noMatch}>{strings.noMatchHint}</Empty>}
      />
    </Card>
  )
}

/** Shown only if there are any. */
function Invitations({ project, begin }: Props) {
  const [page, go] = useState(1)
  const query = useQuery(invitationsQuery(project, page))
  if (query.data === undefined || query.data.count === 0) return null
  return (
    <Card title={strings.invitations.title} lead={strings.invitations.lead} flush>
      <PagedList
        label={strings.invitations.title}
        query={query}
        columns={invitationColumns(begin)}
        page={page}
        go={go}
        empty={null}
      />
    </Card>
  )
}

function Changes({ project }: { project: number }) {
  const [page, go] = useState(1)
  return (
    <Card title={strings.history.title} lead={strings.history.lead} flush>
      <PagedList
        label={strings.history.title}
        query={useQuery(memberAuditQuery(project, page))}
        columns={changeColumns}
        page={page}
        go={go}
        empty={<Empty title={strings.history.empty}>{strings.history.emptyHint}</Empty>}
      />
    </Card>
  )
}
