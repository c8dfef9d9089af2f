import { Alert, Anchor, Button, Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useSyncExternalStore } from 'react'
import { checkSession, ProblemError } from '../network.ts'
import { useFocusBack } from '../parts/dialogs/focus-back.ts'
import { Icon } from '../parts/icons.tsx'
import { notifyOtherTabs } from '../session.ts'
import { type EndReason, sessionEnd } from '../session-end.ts'
import styles from './sign-in.module.css'
import { SignInForm } from './sign-in-form.tsx'

const titles: Record<EndReason, string> = {
  ended: 'Your session ended',
  other_account: 'Another account signed in',
}

/** Over any page whose session ended: the page stays as it is, and what it wanted to send is sent after the sign-in. */
export function SignInAgain() {
  const shown = useSyncExternalStore(sessionEnd.subscribe, sessionEnd.shown)
  if (shown === undefined) return null
  if (shown.isAsking)
    return <SignInDialog key={shown.reason} reason={shown.reason} email={shown.user.email} />
  return (
    <Alert
      data-session-banner
      className={styles.banner ?? ''}
      color="yellow"
      role="status"
      icon={<Icon name="alert" />}
    >
      {titles[shown.reason]}. This page can neither load nor save anything.{' '}
      <Anchor component="button" type="button" onClick={() => sessionEnd.ask(shown.reason)}>
        Sign in again
      </Anchor>
    </Alert>
  )
}

function SignInDialog({ reason, email }: { reason: EndReason; email: string }) {
  const queries = useQueryClient()
  useFocusBack()
  const resume = async () => {
    notifyOtherTabs('signed-in')
    if (!(await continueSession())) return
    await queries.invalidateQueries({ predicate: ({ state }) => state.status === 'error' })
  }
  return (
    <Modal
      opened
      onClose={sessionEnd.notNow}
      title={titles[reason]}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
      onKeyDown={leaveByEscape}
    >
      <div className={styles.again}>
        <p>
          {reason === 'ended'
            ? 'Sign in again to continue. This page stays as it is, with everything that you entered.'
            : 'This browser now uses another account. Nothing is sent from this page under that account. To continue here, sign in with the account that opened the page.'}
        </p>
        <SignInForm account={email} done={resume}>
          <Button variant="default" onClick={sessionEnd.notNow} data-mantine-stop-propagation>
            Not now
          </Button>
        </SignInForm>
        <p className={styles.other}>
          Not you?{' '}
          <Anchor component="button" type="button" onClick={leave} data-mantine-stop-propagation>
            {reason === 'ended' ? 'Use another account' : 'Continue with the other account'}
          </Anchor>
          . You leave this page.
        </p>
      </div>
    </Modal>
  )
}

/** Mantine would close every dialog that is open behind this one, too. */
function leaveByEscape({ key }: KeyboardEvent): void {
  if (key === 'Escape') sessionEnd.notNow()
}

/** With a load, so that nothing of one account stays in memory for the next; a page with unsaved changes asks first. */
function leave(): void {
  location.assign('/sign-in')
}

/** Goes on where the page's user is signed in again, in this tab or in another. */
export async function continueSession(): Promise<boolean> {
  if (sessionEnd.shown() === undefined) return false
  try {
    await checkSession()
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'other_account') sessionEnd.ask('other_account')
    return false
  }
  sessionEnd.signedInAgain()
  return true
}
