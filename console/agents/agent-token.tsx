import { Alert, Anchor, Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { grants, type Scope } from '../../src/model/scopes.ts'
import { issueOwnToken, revokeOwnToken, rotateOwnToken } from '../changes.ts'
import { tokenState } from '../parts/badges.tsx'
import { Icon } from '../parts/icons.tsx'
import { Card } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { apiAccessQuery } from '../queries.ts'
import { type TokenAction, TokenActionDialog } from '../tokens/token-actions.tsx'
import type { ApiAccess, SessionProject, Token } from '../wire.ts'
import styles from './agents.module.css'
import { strings } from './strings.ts'

/** All that agents need. A wider token could apply its own proposals. */
const agentScopes: readonly Scope[] = ['products:read', 'products:propose', 'prompts:read']

type Props = { project: SessionProject; access: ApiAccess }

export function AgentToken({ project, access: { self_service, tokens } }: Props) {
  const queries = useQueryClient()
  const [action, setAction] = useState<TokenAction>()
  const { canManage } = usePermissions()
  const allowed = agentScopes.filter((scope) => grants(self_service.scopes as Scope[], scope))
  const canCreate = self_service.allowed && allowed.length > 0
  const actions = {
    issue: (body: Parameters<typeof issueOwnToken>[1]) => issueOwnToken(project.id, body),
    rotate: (id: number, overlap: string) => rotateOwnToken(project.id, id, overlap),
    revoke: (id: number) => revokeOwnToken(project.id, id),
    refresh: () => void queries.invalidateQueries({ queryKey: apiAccessQuery(project.id).queryKey }),
  }
  return (
    <Card
      title={strings.token.title}
      lead={strings.token.lead}
      actions={
        canCreate && (
          <Button
            size="xs"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => setAction({ kind: 'issue' })}
          >
            {strings.token.new}
          </Button>
        )
      }
    >
      <div className={styles.parts}>
        <div>
          {canCreate ? strings.token.text : canManage ? strings.token.askOperator : strings.token.askManager}{' '}
          <Anchor component={Link} to={`/projects/${project.id}/settings/api-access`}>
            {strings.token.manage}
          </Anchor>
        </div>
        <WideTokens tokens={tokens.filter(isWide)} />
      </div>
      {action !== undefined && (
        <TokenActionDialog
          title={strings.token.new}
          allowed={allowed}
          actions={actions}
          action={action}
          next={setAction}
        />
      )}
    </Card>
  )
}

function isWide(token: Token): boolean {
  const isUsable = !['revoked', 'expired'].includes(tokenState(token))
  return isUsable && token.scopes.some((scope) => !grants(agentScopes, scope))
}

function WideTokens({ tokens }: { tokens: Token[] }) {
  if (tokens.length === 0) return null
  return (
    <Alert color="yellow" icon={<Icon name="alert" />} title={strings.token.wide(tokens.length)}>
      {strings.token.wideText}
      <ul className={styles.names}>
        {tokens.map(({ id, name }) => (
          <li key={id}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </Alert>
  )
}
