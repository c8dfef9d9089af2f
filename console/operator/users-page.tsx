import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon } from '../parts/icons.tsx'
import { ListFilters } from '../parts/lists/list-filters.tsx'
import { PagedList } from '../parts/lists/paged-list.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { usersQuery } from '../queries.ts'
import { useSession } from '../session.ts'
import { choicesOf, type UsersView, userKinds } from './lists.ts'
import { type UserAction, UserActionDialog } from './user-actions.tsx'
import { userColumns } from './user-columns.tsx'

export function UsersPage() {
  const view = useSearch({ from: '/signed-in/operator/users' })
  const navigate = useNavigate()
  const { user: self } = useSession()
  const [act, setAct] = useState<UserAction>()
  const go = (search: UsersView, replace = false) => navigate({ to: '/operator/users', search, replace })
  const { page = 1, ...filters } = view
  const { search = '', kind } = filters
  return (
    <Page
      title="Users"
      lead="Who may sign in. A member sees the projects named here, an operator sees all of them."
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAct({ kind: 'create' })}>
          New user
        </Button>
      }
    >
      <Card label="All users" flush>
        <ListFilters
          label="Search by email or name"
          search={search}
          find={(text, isFirst) =>
            go({ ...(kind && { kind }), ...(text !== '' && { search: text }) }, !isFirst)
          }
          choices={[
            {
              label: 'Kind of users',
              value: kind ?? '',
              data: choicesOf(userKinds, 'All users'),
              choose: (next) =>
                go({
                  ...(search !== '' && { search }),
                  ...(next !== '' && { kind: next as keyof typeof userKinds }),
                }),
            },
          ]}
        />
        <PagedList
          label="Users"
          query={useQuery(usersQuery(view))}
          columns={userColumns(setAct, self.id)}
          page={page}
          go={(to) => go({ ...filters, page: to })}
          empty={<Empty title="No such user">Search for fewer words, or choose all users.</Empty>}
        />
      </Card>
      {act !== undefined && <UserActionDialog act={act} next={setAct} />}
    </Page>
  )
}
