import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { issueToken, revokeToken, rotateToken } from '../changes.ts'
import { TokenStateTag } from '../parts/badges.tsx'
import { isolate } from '../parts/format/isolate.ts'
import { Icon } from '../parts/icons.tsx'
import type { Column } from '../parts/lists/data-table.tsx'
import { Card } from '../parts/page.tsx'
import { projectTokensQuery } from '../queries.ts'
import { strings as tokenStrings } from '../tokens/strings.ts'
import { type TokenAction, TokenActionDialog, TokenButtons } from '../tokens/token-actions.tsx'
import { tokenColumns } from '../tokens/token-columns.tsx'
import { TokenList } from '../tokens/token-list.tsx'
import type { OperatorProject, Token } from '../wire.ts'
import type { TokensView } from './lists.ts'
import { strings } from './project-strings.ts'

export function OperatorTokens({ project }: { project: OperatorProject }) {
  const queries = useQueryClient()
  const view = useSearch({ from: '/signed-in/operator/projects/$projectId' })
  const navigate = useNavigate()
  const query = useQuery(projectTokensQuery(project.id, view))
  const [action, setAction] = useState<TokenAction>()
  const go = (search: TokensView, replace = false) =>
    navigate({
      to: '/operator/projects/$projectId',
      params: { projectId: project.id },
      search,
      replace,
      resetScroll: false,
    })
  const issue = (
    <Button
      size="xs"
      leftSection={<Icon name="plus" size={14} />}
      onClick={() => setAction({ kind: 'issue' })}
    >
      {strings.tokens.new}
    </Button>
  )
  const actions = {
    issue: (body: Parameters<typeof issueToken>[1]) => issueToken(project.id, body),
    rotate: rotateToken,
    revoke: revokeToken,
    refresh: () => void queries.invalidateQueries({ queryKey: ['operator', 'project', project.id] }),
  }
  return (
    <Card title={strings.tokens.title} lead={strings.tokens.lead} actions={issue} flush>
      <TokenList
        query={query}
        columns={columns(setAction)}
        view={view}
        go={go}
        empty={strings.tokens.empty}
      />
      {action !== undefined && (
        <TokenActionDialog
          title={strings.tokens.dialog(isolate(project.name))}
          warning={project.has_api_access ? undefined : strings.tokens.locked}
          actions={actions}
          action={action}
          next={setAction}
        />
      )}
    </Card>
  )
}

const columns = (begin: (action: TokenAction) => void): Column<Token>[] => [
  ...tokenColumns,
  {
    header: tokenStrings.columns.state,
    id: 'state',
    cell: ({ row }) => <TokenStateTag token={row.original} />,
  },
  {
    header: tokenStrings.columns.actions,
    id: 'actions',
    cell: ({ row }) => <TokenButtons token={row.original} begin={begin} />,
  },
]
