import { Button } from '@mantine/core'
import type { IssuedToken, NewToken } from '../changes.ts'
import { tokenState } from '../parts/badges.tsx'
import { ConfirmDialog, SecretDialog } from '../parts/dialogs/dialogs.tsx'
import { RotateDialog } from '../parts/dialogs/rotate-dialog.tsx'
import { isolate } from '../parts/format/isolate.ts'
import cells from '../parts/lists/cells.module.css'
import { notifySuccess } from '../parts/notify.ts'
import type { Token } from '../wire.ts'
import { IssueTokenDialog } from './issue-token-dialog.tsx'
import { strings } from './strings.ts'

export type TokenAction =
  | { kind: 'issue' }
  | { kind: 'rotate' | 'revoke'; token: Token }
  | { kind: 'show'; issued: IssuedToken }

/** The calls of an operator, or of a project manager. */
type TokenActions = {
  issue: (body: NewToken) => Promise<IssuedToken>
  rotate: (id: number, overlap: string) => Promise<IssuedToken>
  revoke: (id: number) => Promise<unknown>
  refresh: () => void
}

type Props = {
  title: string
  warning?: string | undefined
  allowed?: readonly string[]
  actions: TokenActions
  action: TokenAction
  next: (action: TokenAction | undefined) => void
}

export function TokenActionDialog({ title, warning, allowed, actions, action, next }: Props) {
  const close = () => next(undefined)
  const show = (issued: IssuedToken) => {
    next({ kind: 'show', issued })
    actions.refresh()
  }
  if (action.kind === 'issue')
    return (
      <IssueTokenDialog
        title={title}
        warning={warning}
        {...(allowed && { allowed })}
        issue={actions.issue}
        issued={show}
        close={close}
      />
    )
  if (action.kind === 'rotate')
    return (
      <RotateDialog
        title={strings.rotate.title(isolate(action.token.name))}
        noun="token"
        rotate={(overlap) => actions.rotate(action.token.id, overlap)}
        done={show}
        close={close}
      >
        {strings.rotate.text}
      </RotateDialog>
    )
  if (action.kind === 'show') {
    const { name, token } = action.issued
    return (
      <SecretDialog
        title={strings.show.title(isolate(name))}
        label={strings.show.label}
        secret={token}
        close={close}
      />
    )
  }
  return (
    <ConfirmDialog
      title={strings.revoke.title(isolate(action.token.name))}
      action={strings.revoke.action}
      danger
      close={close}
      run={async () => {
        await actions.revoke(action.token.id).finally(actions.refresh)
        notifySuccess(strings.revoke.done(isolate(action.token.name)))
        close()
      }}
    >
      {strings.revoke.text}
    </ConfirmDialog>
  )
}

export function TokenButtons({ token, begin }: { token: Token; begin: (action: TokenAction) => void }) {
  if (['revoked', 'expired'].includes(tokenState(token))) return null
  return (
    <div className={cells.buttons}>
      {tokenState(token) !== 'replaced' && (
        <Button size="xs" variant="default" onClick={() => begin({ kind: 'rotate', token })}>
          {strings.buttons.rotate}
          <span className="unseen"> {token.name}</span>
        </Button>
      )}
      <Button size="xs" variant="default" c="red" onClick={() => begin({ kind: 'revoke', token })}>
        {strings.buttons.revoke}
        <span className="unseen"> {token.name}</span>
      </Button>
    </div>
  )
}
