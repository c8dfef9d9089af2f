import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { issueToken, revokeToken, rotateToken } from '../changes.ts'
import { TokenStateTag } from '../parts/badges.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Icon } from '../parts/icons.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Card } from '../parts/page.tsx'
import { projectTokensQuery } from '../queries.ts'
import { type Act, TokenAct, TokenButtons } from '../tokens/token-act.tsx'
import { tokenColumns } from '../tokens/token-columns.tsx'
import type { OperatorProject, Token } from '../wire.ts'

export function OperatorTokens({ project }: { project: OperatorProject }) {
  const queries = useQueryClient()
  const query = useQuery(projectTokensQuery(project.id))
  const [act, setAct] = useState<Act>()
  const issue = (
    <Button size="xs" leftSection={<Icon name="plus" size={14} />} onClick={() => setAct({ kind: 'issue' })}>
      Issue a token
    </Button>
  )
  const acts = {
    issue: (body: Parameters<typeof issueToken>[1]) => issueToken(project.id, body),
    rotate: rotateToken,
    revoke: revokeToken,
    refresh: () => void queries.invalidateQueries({ queryKey: ['operator', 'project', project.id] }),
  }
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
      {act !== undefined && (
        <TokenAct title={`Issue a token for ${project.name}`} acts={acts} act={act} next={setAct} />
      )}
    </Card>
  )
}

const columns = (begin: (act: Act) => void): Column<Token>[] => [
  ...tokenColumns,
  { header: 'State', id: 'state', cell: ({ row }) => <TokenStateTag token={row.original} /> },
  {
    header: 'Change',
    id: 'change',
    cell: ({ row }) => <TokenButtons token={row.original} begin={begin} />,
  },
]
