import { Alert, Button, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { CopyButton } from '../copy.tsx'
import { Icon } from '../icons.tsx'
import { ProblemAlert } from '../problem.tsx'
import { strings } from '../strings.ts'
import styles from './dialogs.module.css'
import { useRestoreFocus } from './restore-focus.ts'

type ActionProps = {
  title: string
  isPending: boolean
  /** The user has typed something. Esc or a click outside then asks before discarding it. */
  isFilled?: boolean
  size?: 'md' | 'lg'
  close: () => void
  children: ReactNode
}

/**
 * Stays open until the response arrives, because closing would look like canceling a request that was already sent.
 */
export function ActionDialog({
  title,
  isPending,
  isFilled = false,
  size = 'md',
  close,
  children,
}: ActionProps) {
  const [isAsking, ask] = useState(false)
  // The question on top handles the keys.
  const isClosedLightly = !isPending && !isAsking
  useRestoreFocus()
  return (
    <Modal
      opened
      onClose={isFilled ? () => ask(true) : close}
      title={title}
      size={size}
      closeOnEscape={isClosedLightly}
      closeOnClickOutside={isClosedLightly}
      closeButtonProps={{ 'aria-label': strings.dialog.close, disabled: isPending }}
    >
      {children}
      {isAsking && <DiscardQuestion stay={() => ask(false)} discard={close} />}
    </Modal>
  )
}

function DiscardQuestion({ stay, discard }: { stay: () => void; discard: () => void }) {
  useRestoreFocus()
  return (
    <Modal
      opened
      onClose={stay}
      title={strings.dialog.discardTitle}
      closeButtonProps={{ 'aria-label': strings.dialog.close }}
    >
      <div className={styles.body}>
        <div>{strings.dialog.discardText}</div>
        <div className={styles.buttons}>
          <Button variant="default" onClick={stay} data-autofocus>
            {strings.dialog.keepEditing}
          </Button>
          <Button color="red" onClick={discard}>
            {strings.dialog.discard}
          </Button>
        </div>
      </div>
    </Modal>
  )
}

type ConfirmProps = {
  title: string
  children: ReactNode
  action: string
  danger?: boolean
  /** Closes the dialog at the end, unless it opens another one. */
  run: () => Promise<unknown>
  close: () => void
}

/** Explains what will happen and names the action on the button. */
export function ConfirmDialog({ title, children, action, danger = false, run, close }: ConfirmProps) {
  const act = useMutation({ mutationFn: run })
  return (
    <ActionDialog title={title} isPending={act.isPending} close={close}>
      <div className={styles.body}>
        <div>{children}</div>
        {act.error !== null && <ProblemAlert error={act.error} />}
        <div className={styles.buttons}>
          <Button variant="default" onClick={close} disabled={act.isPending} data-autofocus>
            {strings.dialog.cancel}
          </Button>
          <Button color={danger ? 'red' : 'accent'} loading={act.isPending} onClick={() => act.mutate()}>
            {action}
          </Button>
        </div>
      </div>
    </ActionDialog>
  )
}

type SecretProps = {
  title: string
  label: string
  secret: string
  /** How the service stores it, and why it cannot show it again. */
  stored?: string
  /** What to do with it. */
  keep?: string
  children?: ReactNode
  close: () => void
}

/** A secret that is shown once. Only the button closes the dialog, so that a stray click does not lose the secret. */
export function SecretDialog({
  title,
  label,
  secret,
  stored = strings.secret.stored,
  keep = strings.secret.keep,
  children,
  close,
}: SecretProps) {
  useRestoreFocus()
  return (
    <Modal
      opened
      onClose={close}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className={styles.body}>
        <Alert color="yellow" icon={<Icon name="alert" />} title={strings.secret.copyNow}>
          {stored} {keep}
        </Alert>
        <div>
          <p className={styles.label} id="secret-label">
            {label}
          </p>
          <output aria-labelledby="secret-label" className={styles.secret}>
            {secret}
          </output>
        </div>
        {children}
        <div className={styles.buttons}>
          <CopyButton text={secret} label={strings.copy.label(label.toLowerCase())} wide />
          <Button onClick={close}>{strings.secret.done}</Button>
        </div>
      </div>
    </Modal>
  )
}
