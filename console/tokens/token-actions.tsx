import { Button } from '@mantine/core'
import type { IssuedToken, NewToken } from '../changes.ts'
import { tokenState } from '../parts/badges.tsx'
import { ConfirmDialog, SecretDialog } from '../parts/dialogs/dialogs.tsx'
import { RotateDialog } from '../parts/dialogs/rotate-dialog.tsx'
import { sayDone } from '../parts/done.ts'
import { isolated } from '../parts/words/isolated.ts'
import type { Token } from '../wire.ts'
import { IssueTokenDialog } from './issue-token-dialog.tsx'
import styles from './token-columns.module.css'

/** What is being done to a token. */
export type TokenAction =
  | { kind: 'issue' }
  | { kind: 'rotate' | 'revoke'; token: Token }
  | { kind: 'show'; issued: IssuedToken }

/** How whoever is at the page does it: an operator, or a manager of the project. */
type TokenActions = {
  issue: (body: NewToken) => Promise<IssuedToken>
  rotate: (id: number, overlap: string) => Promise<IssuedToken>
  revoke: (id: number) => Promise<unknown>
  refresh: () => void
}

type Props = {
  title: string
  /** What whoever issues a token should know first. */
  warning?: string | undefined
  allowed?: readonly string[]
  acts: TokenActions
  act: TokenAction
  next: (act: TokenAction | undefined) => void
}

/** The dialog of the act. */
export function TokenActionDialog({ title, warning, allowed, acts, act, next }: Props) {
  const close = () => next(undefined)
  const show = (issued: IssuedToken) => {
    next({ kind: 'show', issued })
    acts.refresh()
  }
  if (act.kind === 'issue')
    return (
      <IssueTokenDialog
        title={title}
        warning={warning}
        {...(allowed && { allowed })}
        issue={acts.issue}
        issued={show}
        close={close}
      />
    )
  if (act.kind === 'rotate')
    return (
      <RotateDialog
        title={`Rotate “${isolated(act.token.name)}”`}
        noun="token"
        rotate={(overlap) => acts.rotate(act.token.id, overlap)}
        done={show}
        close={close}
      >
        A new token with the same name and rights takes over. During the overlap both are accepted, so that
        programs can change over without a gap.
      </RotateDialog>
    )
  if (act.kind === 'show') {
    const { name, token } = act.issued
    return <SecretDialog title={`Token “${isolated(name)}”`} label="Token" secret={token} close={close} />
  }
  return (
    <ConfirmDialog
      title={`Revoke “${isolated(act.token.name)}”?`}
      action="Revoke token"
      danger
      close={close}
      run={async () => {
        await acts.revoke(act.token.id).finally(acts.refresh)
        sayDone(`“${isolated(act.token.name)}” is revoked.`)
        close()
      }}
    >
      Programs that use it are refused from this moment on. This cannot be undone. To replace it without a
      gap, rotate it instead.
    </ConfirmDialog>
  )
}

export function TokenButtons({ token, begin }: { token: Token; begin: (act: TokenAction) => void }) {
  if (['revoked', 'expired'].includes(tokenState(token))) return '–'
  return (
    <div className={styles.buttons}>
      {tokenState(token) !== 'replaced' && (
        <Button size="xs" variant="default" onClick={() => begin({ kind: 'rotate', token })}>
          Rotate<span className="unseen"> {token.name}</span>
        </Button>
      )}
      <Button size="xs" variant="default" c="red" onClick={() => begin({ kind: 'revoke', token })}>
        Revoke<span className="unseen"> {token.name}</span>
      </Button>
    </div>
  )
}
