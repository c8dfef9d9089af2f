import { Anchor, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Icon } from '../parts/icons.tsx'
import { lazyPart } from '../routes/lazy-page.ts'
import type { EntryResult, SignInMethods as Methods } from '../wire.ts'
import { readMethods, startCompany } from './changes.ts'
import { doneElsewhere } from './done-elsewhere.ts'
import {
  arePasskeysPossible,
  enterWithPasskey,
  isPasskeyKnown,
  offerPasskeys,
  stopOffering,
} from './passkeys.ts'
import styles from './sign-in.module.css'
import { PasswordForm, SignInError } from './sign-in-form.tsx'
import { strings } from './strings.ts'

const SecondFactorStep = lazy(
  lazyPart(async () => ({ default: (await import('./second-factor-step.tsx')).SecondFactorStep })),
)

type Props = {
  /** The only account that may sign in, in a dialog. Default: any account. */
  account?: string
  /** The second step, if another page was the first one. */
  waiting?: EntryResult['second_factor']
  /** The page to open after a sign-in at the provider. */
  next?: string
  done: () => unknown
  /** Buttons next to the one that signs in. */
  children?: ReactNode
}

/** If the service does not respond, the password form reports it. */
const unknown: Methods = { password: true, passkey: true, company: false, operators_only: false }

/** All ways to sign in, and the second step. */
export function SignInMethods({ account, waiting, next = '/', done, children }: Props) {
  const methods = useAllowedMethods()
  const [factors, setFactors] = useState(waiting)
  const isDialog = account !== undefined
  if (factors !== undefined)
    return (
      <Suspense>
        <SecondFactorStep
          methods={factors}
          done={done}
          back={() => setFactors(undefined)}
          isDialog={isDialog}
        >
          {children}
        </SecondFactorStep>
      </Suspense>
    )
  if (methods === undefined) return null
  const { password, passkey, company, operators_only } = methods
  const enter = (result: EntryResult) => (result.success ? done() : setFactors(result.second_factor))
  return (
    <div className={styles.form}>
      {company && <CompanyButton isDialog={isDialog} next={next} />}
      {!password && children}
      {password && (
        <Local isHidden={operators_only} isDialog={isDialog} hasCompany={company}>
          <PasswordForm account={account} done={enter} isSecondary={company && !isDialog}>
            {children}
          </PasswordForm>
          {passkey && arePasskeysPossible() && <PasskeyButton done={done} isDialog={isDialog} />}
        </Local>
      )}
    </div>
  )
}

type LocalProps = { isHidden: boolean; isDialog: boolean; hasCompany: boolean; children: ReactNode }

/** Password and passkey. Behind a link if they are for operators only. */
function Local({ isHidden, isDialog, hasCompany, children }: LocalProps) {
  const [isShown, setShown] = useState(!isHidden)
  if (!isShown)
    return (
      <Anchor
        component="button"
        type="button"
        onClick={() => setShown(true)}
        data-mantine-stop-propagation={isDialog}
      >
        {strings.company.operators}
      </Anchor>
    )
  return (
    <>
      {hasCompany && <div className={styles.or}>{strings.form.or}</div>}
      {children}
    </>
  )
}

/** Over a page, the provider opens in a new window, so that the page keeps its input. That window then notifies this one. */
function CompanyButton({ isDialog, next }: { isDialog: boolean; next: string }) {
  const enter = useMutation({
    mutationFn: async (target: Window | null) => {
      if (target === null) throw new Error(strings.company.blocked)
      const { url } = await startCompany(isDialog ? doneElsewhere : next)
      target.location.assign(url)
    },
    onError: (_error, target) => isDialog && target?.close(),
  })
  return (
    <>
      <Button
        size={isDialog ? 'sm' : 'md'}
        variant={isDialog ? 'default' : 'filled'}
        leftSection={<Icon name="people" size={16} />}
        loading={enter.isPending}
        // The window opens at once: browsers block windows that open after a response.
        onClick={() =>
          enter.mutate(isDialog ? window.open('', '_blank', 'popup,width=520,height=720') : window)
        }
        data-mantine-stop-propagation={isDialog}
      >
        {strings.company.signIn}
      </Button>
      {enter.error !== null && <SignInError error={enter.error} />}
    </>
  )
}

/** Not a query, because a sign-out clears all queries while this page is shown. */
function useAllowedMethods(): Methods | undefined {
  const [methods, setMethods] = useState<Methods>()
  useEffect(() => {
    let isOpen = true
    readMethods()
      .catch(() => unknown)
      .then((found) => isOpen && setMethods(found))
    return () => {
      isOpen = false
    }
  }, [])
  return methods
}

function PasskeyButton({ done, isDialog }: { done: () => unknown; isDialog: boolean }) {
  const enter = useMutation({ mutationFn: () => enterWithPasskey('sign-in'), onSuccess: done })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    if (isDialog || !isPasskeyKnown()) return
    void offerPasskeys().then(
      (isSignedIn) => isSignedIn && done(),
      () => {},
    )
    return () => void stopOffering().catch(() => {})
  }, [])
  return (
    <>
      <Button
        variant="default"
        size={isDialog ? 'sm' : 'md'}
        leftSection={<Icon name="key" size={16} />}
        loading={enter.isPending}
        onClick={() => enter.mutate()}
        data-mantine-stop-propagation={isDialog}
      >
        {strings.passkey.signIn}
      </Button>
      {enter.error !== null && <SignInError error={enter.error} />}
    </>
  )
}
