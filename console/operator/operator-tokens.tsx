import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type IssuedToken, revokeToken } from '../changes.ts'
import { TokenStateTag, tokenState } from '../parts/badges.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { ConfirmDialog, SecretDialog } from '../parts/dialogs.tsx'
import { sayDone } from '../parts/done.ts'
import { Icon } from '../parts/icons.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import { tokenColumns } from '../parts/token-columns.tsx'
import { projectTokensQuery } from '../queries.ts'
import type { OperatorProject, Token } from '../wire.ts'
import { IssueTokenDialog } from './issue-token-dialog.tsx'
import styles from './operator.module.css'
import { RotateTokenDialog } from './rotate-token-dialog.tsx'

type Act =
  | { kind: 'issue' }
  | { kind: 'rotate' | 'revoke'; token: Token }
  | { kind: 'show'; issued: IssuedToken }

export function OperatorTokens({ project }: { project: OperatorProject }) {
  const query = useQuery(projectTokensQuery(project.id))
  const [act, setAct] = useState<Act>()
  const issue = (
    <Button size="xs" leftSection={<Icon name="plus" size={14} />} onClick={() => setAct({ kind: 'issue' })}>
      Issue a token
    </Button>
  )
  return (
    <Card title="Tokens" lead="A revoked token is refused from that moment on." actions={issue} flush>
      <Loaded query={query}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty title="No tokens yet">
              Issue one, or approve a request of the project: that issues one too.
            </Empty>
          ) : (
            <DataTable
              label="Tokens"
              columns={columns(setAct)}
              rows={results}
              rowId={({ id }) => String(id)}
            />
          )
        }
      </Loaded>
      {act !== undefined && <TokenAct project={project} act={act} next={setAct} />}
    </Card>
  )
}

const columns = (setAct: (act: Act) => void): Column<Token>[] => [
  ...tokenColumns,
  { header: 'State', id: 'state', cell: ({ row }) => <TokenStateTag token={row.original} /> },
  {
    header: 'Change',
    id: 'change',
    cell: ({ row: { original: token } }) =>
      ['revoked', 'expired'].includes(tokenState(token)) ? (
        '–'
      ) : (
        <div className={styles.buttons}>
          {tokenState(token) !== 'replaced' && (
            <Button size="xs" variant="default" onClick={() => setAct({ kind: 'rotate', token })}>
              Rotate<span className="unseen"> {token.name}</span>
            </Button>
          )}
          <Button size="xs" variant="default" c="red" onClick={() => setAct({ kind: 'revoke', token })}>
            Revoke<span className="unseen"> {token.name}</span>
          </Button>
        </div>
      ),
  },
]

type ActProps = { project: OperatorProject; act: Act; next: (act: Act | undefined) => void }

function TokenAct({ project, act, next }: ActProps) {
  const queries = useQueryClient()
  const refresh = () => void queries.invalidateQueries({ queryKey: ['operator', 'project', project.id] })
  const close = () => next(undefined)
  const show = (issued: IssuedToken) => {
    next({ kind: 'show', issued })
    refresh()
  }
  if (act.kind === 'issue') return <IssueTokenDialog project={project} issued={show} close={close} />
  if (act.kind === 'rotate') return <RotateTokenDialog token={act.token} issued={show} close={close} />
  if (act.kind === 'show') {
    const { name, token } = act.issued
    return <SecretDialog title={`Token “${name}”`} label="Token" secret={token} close={close} />
  }
  return (
    <ConfirmDialog
      title={`Revoke “${act.token.name}”?`}
      action="Revoke token"
      danger
      close={close}
      run={async () => {
        await revokeToken(act.token.id).finally(refresh)
        sayDone(`“${act.token.name}” is revoked.`)
        close()
      }}
    >
      Programs that use it are refused from this moment on. This cannot be undone. To replace it without a
      gap, rotate it instead.
    </ConfirmDialog>
  )
}
