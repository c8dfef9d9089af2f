import { Anchor, Button, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Tag } from '../parts/badges.tsx'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { notifySuccess } from '../parts/notify.ts'
import { Card } from '../parts/page.tsx'
import { securityQuery } from '../queries.ts'
import { arePasskeysPossible } from '../sign-in/passkeys.ts'
import type { Passkey, Security } from '../wire.ts'
import { removePasskey, removeTotp, renamePasskey, renewRecoveryCodes } from './changes.ts'
import { AddPasskeyDialog, AddTotpDialog, ProofDialog, RecoveryCodesDialog } from './factor-dialogs.tsx'
import styles from './security.module.css'
import { strings } from './security-strings.ts'

type Action =
  | { kind: 'addTotp' | 'removeTotp' | 'addPasskey' | 'renewCodes' }
  | { kind: 'renamePasskey' | 'removePasskey'; passkey: Passkey }
  | { kind: 'codes'; codes: string[] }

type Begin = (action: Action) => void

/** Authenticator app, passkeys and recovery codes. */
export function SecondFactorCard() {
  const query = useQuery(securityQuery)
  const [action, setAction] = useState<Action>()
  return (
    <Card title={strings.title} lead={query.data?.required ? strings.required : strings.lead}>
      <Loaded query={query}>
        {(security) => (
          <>
            <FactorList security={security} begin={setAction} />
            {action !== undefined && (
              <FactorDialog action={action} hasPassword={security.has_password} next={setAction} />
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}

function FactorList({ security, begin }: { security: Security; begin: Begin }) {
  const { totp, passkeys, recovery_codes } = security
  return (
    <ul className={styles.factors}>
      <Factor name={strings.totp.title} text={strings.totp.text} isOn={totp}>
        {totp ? (
          <ActionButton onClick={() => begin({ kind: 'removeTotp' })} about={strings.totp.title}>
            {strings.totp.remove}
          </ActionButton>
        ) : (
          <ActionButton onClick={() => begin({ kind: 'addTotp' })}>{strings.totp.add}</ActionButton>
        )}
      </Factor>
      <Factor
        name={strings.passkeys.title}
        text={arePasskeysPossible() ? strings.passkeys.text : <PasskeysNotPossible />}
        isOn={passkeys.length > 0}
      >
        {arePasskeysPossible() && (
          <ActionButton onClick={() => begin({ kind: 'addPasskey' })}>{strings.passkeys.add}</ActionButton>
        )}
      </Factor>
      {passkeys.map((passkey) => (
        <Factor key={passkey.id} name={<bdi>{passkey.name}</bdi>} text={<PasskeyTimes passkey={passkey} />}>
          <ActionButton onClick={() => begin({ kind: 'renamePasskey', passkey })} about={passkey.name}>
            {strings.passkeys.rename}
          </ActionButton>
          <ActionButton onClick={() => begin({ kind: 'removePasskey', passkey })} about={passkey.name}>
            {strings.passkeys.remove}
          </ActionButton>
        </Factor>
      ))}
      {(totp || passkeys.length > 0) && (
        <Factor name={strings.codes.card} text={strings.codes.left(recovery_codes)}>
          <ActionButton onClick={() => begin({ kind: 'renewCodes' })}>{strings.codes.renew}</ActionButton>
        </Factor>
      )}
    </ul>
  )
}

type FactorProps = { name: ReactNode; text: ReactNode; isOn?: boolean; children: ReactNode }

function Factor({ name, text, isOn = false, children }: FactorProps) {
  return (
    <li className={styles.factor}>
      <div className={styles.about}>
        <div className={styles.name}>
          {name} {isOn && <Tag tone="accent">{strings.on}</Tag>}
        </div>
        <p>{text}</p>
      </div>
      <div className={styles.actions}>{children}</div>
    </li>
  )
}

type ButtonProps = { onClick: () => void; about?: string; children: string }

function ActionButton({ onClick, about, children }: ButtonProps) {
  return (
    <Button size="xs" variant="default" onClick={onClick}>
      {children}
      {about !== undefined && <span className="unseen"> {about}</span>}
    </Button>
  )
}

function PasskeyTimes({ passkey: { created_at, last_used_at } }: { passkey: Passkey }) {
  return (
    <>
      {strings.passkeys.created} <RelativeTime at={created_at} />,{' '}
      {last_used_at === null ? (
        strings.passkeys.neverUsed
      ) : (
        <>
          {strings.passkeys.used} <RelativeTime at={last_used_at} />
        </>
      )}
    </>
  )
}

/** The service listens on 127.0.0.1 by default, where passkeys are not possible, but localhost works. */
function PasskeysNotPossible() {
  const { hostname, port, pathname } = location
  return (
    <>
      {strings.passkeys.notPossible}{' '}
      {hostname === '127.0.0.1' && (
        <Anchor href={`http://localhost:${port}${pathname}`} inherit>
          {strings.passkeys.openLocalhost}
        </Anchor>
      )}
    </>
  )
}

type DialogProps = {
  action: Action
  hasPassword: boolean
  next: (action: Action | undefined) => void
}

function FactorDialog({ action, hasPassword, next }: DialogProps) {
  const queries = useQueryClient()
  const close = () => next(undefined)
  const finish = (message: string) => {
    void queries.invalidateQueries({ queryKey: securityQuery.queryKey })
    void queries.invalidateQueries({ queryKey: ['session'] })
    notifySuccess(message)
    close()
  }
  const added = (message: string) => (result: { recovery_codes: string[] }) => {
    finish(message)
    if (result.recovery_codes.length > 0) next({ kind: 'codes', codes: result.recovery_codes })
  }
  const proof = { hasPassword, close }
  switch (action.kind) {
    case 'codes':
      return <RecoveryCodesDialog codes={action.codes} close={close} />
    case 'addTotp':
      return <AddTotpDialog {...proof} done={added(strings.totp.added)} />
    case 'addPasskey':
      return <AddPasskeyDialog {...proof} done={added(strings.passkeys.added)} />
    case 'renamePasskey':
      return (
        <RenameDialog passkey={action.passkey} done={() => finish(strings.passkeys.renamed)} close={close} />
      )
    case 'removePasskey':
      return (
        <ProofDialog
          {...proof}
          title={strings.passkeys.removeTitle(action.passkey.name)}
          action={strings.passkeys.remove}
          danger
          send={(given) => removePasskey(action.passkey.id, given)}
          done={() => finish(strings.passkeys.removed)}
        >
          {strings.passkeys.removeText}
        </ProofDialog>
      )
    case 'removeTotp':
      return (
        <ProofDialog
          {...proof}
          title={strings.totp.removeTitle}
          action={strings.totp.remove}
          danger
          send={removeTotp}
          done={() => finish(strings.totp.removed)}
        >
          {strings.totp.removeText}
        </ProofDialog>
      )
    case 'renewCodes':
      return (
        <ProofDialog
          {...proof}
          title={strings.codes.renewTitle}
          action={strings.codes.renew}
          send={renewRecoveryCodes}
          done={({ recovery_codes: codes }) => {
            void queries.invalidateQueries({ queryKey: securityQuery.queryKey })
            next({ kind: 'codes', codes })
          }}
        >
          {strings.codes.renewText}
        </ProofDialog>
      )
  }
}

type RenameProps = { passkey: Passkey; done: () => void; close: () => void }

function RenameDialog({ passkey, done, close }: RenameProps) {
  const form = useForm({
    initialValues: { name: passkey.name },
    validate: { name: isNotEmpty(strings.passkeys.nameMissing) },
  })
  return (
    <FormDialog
      title={strings.passkeys.renameTitle}
      action={strings.passkeys.save}
      form={form}
      send={({ name }) => renamePasskey(passkey.id, name)}
      done={done}
      close={close}
    >
      <TextInput
        label={strings.passkeys.name}
        maxLength={200}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormDialog>
  )
}
