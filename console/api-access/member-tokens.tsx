import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { issueOwnToken, revokeOwnToken, rotateOwnToken, showToken } from '../changes.ts'
import type { TokensView } from '../operator/lists.ts'
import { TokenStateTag, tokenState } from '../parts/badges.tsx'
import { Icon } from '../parts/icons.tsx'
import type { Column } from '../parts/lists/data-table.tsx'
import { useMay } from '../parts/may.ts'
import { Card } from '../parts/page.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import { apiAccessQuery, memberTokensQuery } from '../queries.ts'
import { type TokenAction, TokenActionDialog, TokenButtons } from '../tokens/token-actions.tsx'
import { tokenColumns } from '../tokens/token-columns.tsx'
import { TokenList } from '../tokens/token-list.tsx'
import type { ApiAccess, SessionProject, Token } from '../wire.ts'
import styles from './api-access.module.css'

type Props = { project: SessionProject; access: ApiAccess }

/** The project's tokens; one that nobody has seen yet can be shown, once. Managers may make some themselves. */
export function MemberTokens({ project, access: { self_service } }: Props) {
  const queries = useQueryClient()
  const [act, setAct] = useState<TokenAction>()
  const [view, setView] = useState<TokensView>({})
  const query = useQuery(memberTokensQuery(project.id, view))
  const refresh = () => void queries.invalidateQueries({ queryKey: apiAccessQuery(project.id).queryKey })
  const show = useMutation({
    mutationFn: (id: number) => showToken(project.id, id),
    onSuccess: (issued) => setAct({ kind: 'show', issued }),
    onSettled: refresh,
  })
  const acts = {
    issue: (body: Parameters<typeof issueOwnToken>[1]) => issueOwnToken(project.id, body),
    rotate: (id: number, overlap: string) => rotateOwnToken(project.id, id, overlap),
    revoke: (id: number) => revokeOwnToken(project.id, id),
    refresh,
  }
  const make = self_service.allowed && (
    <Button size="xs" leftSection={<Icon name="plus" size={14} />} onClick={() => setAct({ kind: 'issue' })}>
      New token
    </Button>
  )
  useAsked(self_service.allowed, () => setAct({ kind: 'issue' }))
  const { mayManage } = useMay()
  return (
    <Card title="Tokens" lead="A token signs every call. It acts on this project alone." actions={make} flush>
      {show.error !== null && <ProblemAlert error={show.error} />}
      <TokenList
        query={query}
        columns={columns({
          show: show.mutate,
          isPending: show.isPending,
          isManager: mayManage,
          begin: setAct,
        })}
        view={view}
        go={setView}
        empty={emptyWords(self_service.allowed)}
      />
      <p className={styles.note}>
        {self_service.allowed
          ? 'Tokens that members made are rotated and revoked here, those of the operator by the operator.'
          : 'Tokens are issued, rotated and revoked by the operator.'}
      </p>
      {act !== undefined && (
        <TokenActionDialog
          title="New token"
          allowed={self_service.scopes}
          acts={acts}
          act={act}
          next={setAct}
        />
      )}
    </Card>
  )
}

/** An address may ask for a new token; it is taken out of the address, so that Back and a reload do not ask again. */
function useAsked(isAllowed: boolean, begin: () => void): void {
  const { act } = useSearch({ from: '/signed-in/projects/$projectId/settings/api-access' })
  const navigate = useNavigate({ from: '/projects/$projectId/settings/api-access' })
  const isAsked = act === 'new-token'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that it is asked
  useEffect(() => {
    if (!isAsked) return
    if (isAllowed) begin()
    void navigate({ search: {}, replace: true })
  }, [isAsked])
}

function emptyWords(isAllowed: boolean): string {
  return isAllowed
    ? 'Make the first one with the button above.'
    : 'Ask the operator of this service to issue one.'
}

type Acting = {
  show: (id: number) => void
  isPending: boolean
  isManager: boolean
  begin: (act: TokenAction) => void
}

const columns = ({ show, isPending, isManager, begin }: Acting): Column<Token>[] => [
  ...tokenColumns,
  {
    header: 'State',
    id: 'state',
    cell: ({ row: { original } }) =>
      tokenState(original) === 'new' && isManager ? (
        <Button size="xs" loading={isPending} onClick={() => show(original.id)}>
          Show token<span className="unseen"> {original.name}</span>
        </Button>
      ) : (
        <TokenStateTag token={original} />
      ),
  },
  ...(isManager
    ? [
        {
          header: 'Actions',
          id: 'actions',
          cell: ({ row: { original } }) =>
            original.self_service ? <TokenButtons token={original} begin={begin} /> : '–',
        } satisfies Column<Token>,
      ]
    : []),
]
