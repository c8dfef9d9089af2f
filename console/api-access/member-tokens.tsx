import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type IssuedToken, showToken } from '../changes.ts'
import { TokenStateTag, tokenState } from '../parts/badges.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { SecretDialog } from '../parts/dialogs.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import { tokenColumns } from '../parts/token-columns.tsx'
import { apiAccessQuery } from '../queries.ts'
import type { Token } from '../wire.ts'
import styles from './api-access.module.css'

type Props = { project: number; tokens: Token[] }

/** The project's tokens; one that nobody has seen yet can be shown, once. */
export function MemberTokens({ project, tokens }: Props) {
  const queries = useQueryClient()
  const [issued, setIssued] = useState<IssuedToken>()
  const show = useMutation({
    mutationFn: (id: number) => showToken(project, id),
    onSuccess: setIssued,
    onSettled: () => queries.invalidateQueries({ queryKey: apiAccessQuery(project).queryKey }),
  })
  return (
    <Card title="Tokens" lead="A token signs every call. It acts on this project alone." flush>
      {show.error !== null && <ProblemAlert error={show.error} />}
      {tokens.length === 0 ? (
        <Empty title="No tokens yet">Ask the operator of this service to issue one.</Empty>
      ) : (
        <DataTable
          label="Tokens"
          columns={columns(show.mutate, show.isPending)}
          rows={tokens}
          rowId={({ id }) => String(id)}
        />
      )}
      <p className={styles.note}>
        Tokens are issued, rotated and revoked by the operator. Making your own keys here comes later.
      </p>
      {issued !== undefined && (
        <SecretDialog
          title={`Token “${issued.name}”`}
          label="Token"
          secret={issued.token}
          close={() => setIssued(undefined)}
        />
      )}
    </Card>
  )
}

const columns = (show: (id: number) => void, isPending: boolean): Column<Token>[] => [
  ...tokenColumns,
  {
    header: 'State',
    id: 'state',
    cell: ({ row: { original } }) =>
      tokenState(original) === 'new' ? (
        <Button size="xs" loading={isPending} onClick={() => show(original.id)}>
          Show token<span className="unseen"> {original.name}</span>
        </Button>
      ) : (
        <TokenStateTag token={original} />
      ),
  },
]
