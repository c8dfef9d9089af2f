import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { issueOwnToken, revokeOwnToken, rotateOwnToken, showToken } from '../changes.ts'
import type { TokensView } from '../operator/lists.ts'
import { TokenStateTag, tokenState } from '../parts/badges.tsx'
import { Icon } from '../parts/icons.tsx'
import type { Column } from '../parts/lists/data-table.tsx'
import { Card } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { ProblemAlert } from '../parts/problem.tsx'
import { apiAccessQuery, memberTokensQuery } from '../queries.ts'
import { strings as tokenStrings } from '../tokens/strings.ts'
import { type TokenAction, TokenActionDialog, TokenButtons } from '../tokens/token-actions.tsx'
import { tokenColumns } from '../tokens/token-columns.tsx'
import { TokenList } from '../tokens/token-list.tsx'
import type { ApiAccess, SessionProject, Token } from '../wire.ts'
import styles from './api-access.module.css'
import { strings } from './strings.ts'

type Props = { project: SessionProject; access: ApiAccess }

/** The project's tokens. A new token can be shown once. Managers can create tokens if the operator allows it. */
export function MemberTokens({ project, access: { self_service } }: Props) {
  const queries = useQueryClient()
  const [action, setAction] = useState<TokenAction>()
  const [view, setView] = useState<TokensView>({})
  const query = useQuery(memberTokensQuery(project.id, view))
  const refresh = () => void queries.invalidateQueries({ queryKey: apiAccessQuery(project.id).queryKey })
  const show = useMutation({
    mutationFn: (id: number) => showToken(project.id, id),
    onSuccess: (issued) => setAction({ kind: 'show', issued }),
    onSettled: refresh,
  })
  const actions = {
    issue: (body: Parameters<typeof issueOwnToken>[1]) => issueOwnToken(project.id, body),
    rotate: (id: number, overlap: string) => rotateOwnToken(project.id, id, overlap),
    revoke: (id: number) => revokeOwnToken(project.id, id),
    refresh,
  }
  const newToken = self_service.allowed && (
    <Button
      size="xs"
      leftSection={<Icon name="plus" size={14} />}
      onClick={() => setAction({ kind: 'issue' })}
    >
      {strings.tokens.new}
    </Button>
  )
  useRequestedDialog(self_service.allowed, () => setAction({ kind: 'issue' }))
  const { canManage } = usePermissions()
  return (
    <Card title={strings.tokens.title} lead={strings.tokens.lead} actions={newToken} flush>
      {show.error !== null && <ProblemAlert error={show.error} />}
      <TokenList
        query={query}
        columns={columns({
          show: show.mutate,
          isPending: show.isPending,
          isManager: canManage,
          begin: setAction,
        })}
        view={view}
        go={setView}
        empty={self_service.allowed ? strings.tokens.emptyCanCreate : strings.tokens.emptyAsk}
      />
      <p className={styles.note}>
        {self_service.allowed ? strings.tokens.noteCanCreate : strings.tokens.noteAsk}
      </p>
      {action !== undefined && (
        <TokenActionDialog
          title={strings.tokens.new}
          allowed={self_service.scopes}
          actions={actions}
          action={action}
          next={setAction}
        />
      )}
    </Card>
  )
}

/** A URL can open the dialog. The parameter is removed, so that Back and a reload do not open it again. */
function useRequestedDialog(isAllowed: boolean, begin: () => void): void {
  const { act } = useSearch({ from: '/signed-in/projects/$projectId/settings/api-access' })
  const navigate = useNavigate({ from: '/projects/$projectId/settings/api-access' })
  const isAsked = act === 'new-token'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per request
  useEffect(() => {
    if (!isAsked) return
    if (isAllowed) begin()
    void navigate({ search: {}, replace: true })
  }, [isAsked])
}

type Acting = {
  show: (id: number) => void
  isPending: boolean
  isManager: boolean
  begin: (action: TokenAction) => void
}

const columns = ({ show, isPending, isManager, begin }: Acting): Column<Token>[] => [
  ...tokenColumns,
  {
    header: tokenStrings.columns.state,
    id: 'state',
    cell: ({ row: { original } }) =>
      tokenState(original) === 'new' && isManager ? (
        <Button size="xs" loading={isPending} onClick={() => show(original.id)}>
          {strings.tokens.show}
          <span className="unseen"> {original.name}</span>
        </Button>
      ) : (
        <TokenStateTag token={original} />
      ),
  },
  ...(isManager
    ? [
        {
          header: tokenStrings.columns.actions,
          id: 'actions',
          cell: ({ row: { original } }) =>
            original.self_service ? <TokenButtons token={original} begin={begin} /> : null,
        } satisfies Column<Token>,
      ]
    : []),
]
