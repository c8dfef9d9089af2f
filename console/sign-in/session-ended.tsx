import { Alert, Anchor, Button, Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { KeyboardEvent } from 'react'
import { useRestoreFocus } from '../parts/dialogs/restore-focus.ts'
import { Icon } from '../parts/icons.tsx'
import { notifyOtherTabs } from '../session.ts'
import { type EndReason, sessionEnd } from '../session-end.ts'
import { continueSession } from './continue-session.ts'
import { doneElsewhere } from './done-elsewhere.ts'
import styles from './sign-in.module.css'
import { SignInMethods } from './sign-in-methods.tsx'
import { strings } from './strings.ts'

type Shown = NonNullable<ReturnType<typeof sessionEnd.shown>>

/** Asks for a sign-in, or shows a banner if the user does not want to sign in now. */
export function SessionEnded({ shown: { isAsking, reason, user } }: { shown: Shown }) {
  if (isAsking) return <SignInDialog key={reason} reason={reason} email={user.email} />
  return (
    <Alert
      data-session-banner
      className={styles.banner ?? ''}
      color="yellow"
      role="status"
      icon={<Icon name="alert" />}
    >
      {strings.again.banner(strings.again.titles[reason])}{' '}
      <Anchor component="button" type="button" onClick={() => sessionEnd.ask(reason)}>
        {strings.again.continue[reason]}
      </Anchor>
    </Alert>
  )
}

function SignInDialog({ reason, email }: { reason: EndReason; email: string }) {
  const queries = useQueryClient()
  useRestoreFocus()
  const resume = async () => {
    notifyOtherTabs('signed-in')
    if (!(await continueSession())) return
    await queries.invalidateQueries({ predicate: ({ state }) => state.status === 'error' })
  }
  return (
    <Modal
      opened
      onClose={sessionEnd.notNow}
      title={strings.again.titles[reason]}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
      onKeyDown={leaveByEscape}
    >
      <div className={styles.again}>
        <p>{strings.again.texts[reason]}</p>
        {reason === 'second_factor' ? (
          <SetUpElsewhere />
        ) : (
          <>
            <SignInMethods account={email} done={resume}>
              <NotNow />
            </SignInMethods>
            <p className={styles.other}>
              {strings.again.leaveLead[reason]}
              <Anchor component="button" type="button" onClick={leave} data-mantine-stop-propagation>
                {strings.again.leave[reason]}
              </Anchor>
              {strings.again.leaveHint}
            </p>
          </>
        )}
      </div>
    </Modal>
  )
}

function NotNow() {
  return (
    <Button variant="default" onClick={sessionEnd.notNow} data-mantine-stop-propagation>
      {strings.again.notNow}
    </Button>
  )
}

/** In a new tab, so that this page keeps its input. The tab notifies this page when it is done. */
function SetUpElsewhere() {
  return (
    <div className={styles.buttons}>
      <NotNow />
      <Button
        component="a"
        href={`/set-up-second-factor?next=${encodeURIComponent(doneElsewhere)}`}
        target="_blank"
        data-autofocus
      >
        {strings.again.setUp}
      </Button>
    </div>
  )
}

/** Mantine would also close every dialog behind this one. */
function leaveByEscape({ key }: KeyboardEvent): void {
  if (key === 'Escape') sessionEnd.notNow()
}

/** Loads the page, so that no data of this account stays in memory. A page with unsaved changes asks first. */
function leave(): void {
  location.assign('/sign-in')
}
