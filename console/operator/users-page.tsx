import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon } from '../parts/icons.tsx'
import { ListFilters } from '../parts/lists/list-filters.tsx'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { ownCompanyQuery, usersQuery } from '../queries.ts'
import { useSession } from '../session.ts'
import { choicesOf, type UserKind, type UsersView } from './lists.ts'
import { type UserAction, UserActionDialog } from './user-actions.tsx'
import { userColumns } from './user-columns.tsx'
import { strings } from './user-strings.ts'

export function UsersPage() {
  const view = useSearch({ from: '/signed-in/operator/users' })
  const navigate = useNavigate()
  const { user: self } = useSession()
  const [action, setAction] = useState<UserAction>()
  const hasCompany = useQuery(ownCompanyQuery).data?.available ?? false
  const go = (search: UsersView, replace = false) => navigate({ to: '/operator/users', search, replace })
  const { page = 1, ...filters } = view
  const { search = '', kind } = filters
  return (
    <Page
      title={strings.users.title}
      lead={strings.users.lead}
      actions={
        <>
          <Button variant="default" onClick={() => setAction({ kind: 'rules' })}>
            {strings.users.rules}
          </Button>
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAction({ kind: 'create' })}>
            {strings.users.new}
          </Button>
        </>
      }
    >
      <Card label={strings.users.label} flush>
        <ListFilters
          label={strings.users.search}
          search={search}
          find={(text, isFirst) =>
            go({ ...(kind && { kind }), ...(text !== '' && { search: text }) }, !isFirst)
          }
          choices={[
            {
              label: strings.users.kind,
              value: kind ?? '',
              data: choicesOf(strings.users.kinds, strings.users.allKinds),
              choose: (next) =>
                go({
                  ...(search !== '' && { search }),
                  ...(next !== '' && { kind: next as UserKind }),
                }),
            },
          ]}
        />
        <PagedList
          label={strings.users.title}
          query={useQuery(usersQuery(view))}
          columns={userColumns(setAction, self.id, hasCompany)}
          page={page}
          go={(to) => go({ ...filters, page: to })}
          empty={<Empty title={strings.users.noMatch}>{strings.users.noMatchHint}</Empty>}
        />
      </Card>
      {action !== undefined && <UserActionDialog action={action} next={setAction} />}
    </Page>
  )
}
