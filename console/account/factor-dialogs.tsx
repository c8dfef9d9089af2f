import { Alert, Button, Modal, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { type ReactNode, useState } from 'react'
import { CopyButton } from '../parts/copy.tsx'
import dialog from '../parts/dialogs/dialogs.module.css'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { useRestoreFocus } from '../parts/dialogs/restore-focus.ts'
import { PasswordField } from '../parts/forms/password-field.tsx'
import { Icon } from '../parts/icons.tsx'
import { atField } from '../parts/problem.tsx'
import { createPasskey } from '../sign-in/passkeys.ts'
import {
  addPasskey,
  beginPasskey,
  beginTotp,
  confirmTotp,
  type Proof,
  type RecoveryCodes,
  type TotpSetup,
} from './changes.ts'
import { QrCode } from './qr-code.tsx'
import styles from './security.module.css'
import { strings } from './security-strings.ts'

type ProofProps<Result> = {
  title: string
  action: string
  danger?: boolean
  hasPassword: boolean
  send: (proof: Proof) => Promise<Result>
  done: (result: Result) => unknown
  close: () => void
  children: ReactNode
}

/** Asks for the password before a change. */
export function ProofDialog<Result>({
  title,
  action,
  danger = false,
  hasPassword,
  send,
  done,
  close,
  children,
}: ProofProps<Result>) {
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: hasPassword ? isNotEmpty(strings.proof.missing) : () => null },
  })
  return (
    <FormDialog
      title={title}
      action={action}
      danger={danger}
      form={form}
      send={({ password }) => send(hasPassword ? { password } : {})}
      done={done}
      close={close}
    >
      {children}
      {hasPassword && <PasswordProof {...form.getInputProps('password')} />}
    </FormDialog>
  )
}

function PasswordProof(props: object) {
  return (
    <PasswordField label={strings.proof.password} autoComplete="current-password" data-autofocus {...props} />
  )
}

type AddProps = { hasPassword: boolean; done: (codes: RecoveryCodes) => unknown; close: () => void }

/** Password, then QR code and first code. */
export function AddTotpDialog({ hasPassword, done, close }: AddProps) {
  const [setup, setSetup] = useState<TotpSetup>()
  const form = useForm({
    initialValues: { code: '' },
    validate: {
      code: (code) => (/^\d{6}$/.test(code.replaceAll(/\s/g, '')) ? null : strings.totp.codeMissing),
    },
  })
  if (setup === undefined)
    return (
      <ProofDialog
        title={strings.totp.addTitle}
        action={strings.proof.next}
        hasPassword={hasPassword}
        send={beginTotp}
        done={setSetup}
        close={close}
      >
        {strings.totp.addText}
      </ProofDialog>
    )
  return (
    <FormDialog
      title={strings.totp.addTitle}
      action={strings.totp.confirm}
      form={form}
      send={({ code }) => confirmTotp(code).catch(atField('wrong_code', '/code'))}
      done={done}
      close={close}
    >
      <div className={styles.setUp}>
        <p>{strings.totp.scan}</p>
        <QrCode text={setup.uri} label={strings.totp.qrLabel} />
        <p>
          {strings.totp.typed} <span className={styles.secret}>{setup.secret}</span>{' '}
          <CopyButton text={setup.secret} label={strings.totp.copySecret} />
        </p>
      </div>
      <TextInput
        label={strings.totp.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={8}
        data-autofocus
        {...form.getInputProps('code')}
      />
    </FormDialog>
  )
}

/** Name and password, then the dialog of the browser. */
export function AddPasskeyDialog({ hasPassword, done, close }: AddProps) {
  const form = useForm({
    initialValues: { name: '', password: '' },
    validate: {
      name: isNotEmpty(strings.passkeys.nameMissing),
      password: hasPassword ? isNotEmpty(strings.proof.missing) : () => null,
    },
  })
  return (
    <FormDialog
      title={strings.passkeys.addTitle}
      action={strings.passkeys.create}
      form={form}
      send={async ({ name, password }) => {
        const options = await beginPasskey(hasPassword ? { password } : {})
        return addPasskey(name, await createPasskey(options))
      }}
      done={done}
      close={close}
    >
      {strings.passkeys.addText}
      <TextInput
        label={strings.passkeys.name}
        description={strings.passkeys.nameHint}
        maxLength={200}
        data-autofocus
        {...form.getInputProps('name')}
      />
      {hasPassword && (
        <PasswordField
          label={strings.proof.password}
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
      )}
    </FormDialog>
  )
}

/** Only the button closes the dialog, so that a stray click does not lose the codes. */
export function RecoveryCodesDialog({ codes, close }: { codes: readonly string[]; close: () => void }) {
  useRestoreFocus()
  const text = codes.join('\n')
  return (
    <Modal
      opened
      onClose={close}
      title={strings.codes.title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className={dialog.body}>
        <Alert color="yellow" icon={<Icon name="alert" />} title={strings.codes.keepTitle}>
          {strings.codes.keep}
        </Alert>
        <ul className={styles.codes} aria-label={strings.codes.title}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className={dialog.buttons}>
          <Button
            variant="default"
            component="a"
            href={`data:text/plain,${encodeURIComponent(`${text}\n`)}`}
            download={strings.codes.fileName}
            leftSection={<Icon name="download" size={16} />}
          >
            {strings.codes.download}
          </Button>
          <CopyButton text={text} label={strings.codes.copy} wide />
          <Button onClick={close} data-autofocus>
            {strings.codes.done}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
