import type { Session } from './wire.ts'

/** Why the service rejects requests of this page. */
export type EndReason = 'ended' | 'other_account' | 'second_factor'
type User = Session['user']
type Shown = { reason: EndReason; user: User; isAsking: boolean }

/**
 * Holds requests back after the session of this page ended, until the user signs in again. Pages without a signed-in
 * user, such as the sign-in page, get the error without a dialog.
 */
function makeSessionEnd() {
  let user: User | undefined
  let shown: Shown | undefined
  const waiting = new Set<(isSignedIn: boolean) => void>()
  const listeners = new Set<() => void>()

  const show = (next: Shown | undefined) => {
    shown = next
    for (const listener of listeners) listener()
  }
  const settle = (isSignedIn: boolean) => {
    for (const resolve of waiting) resolve(isSignedIn)
    waiting.clear()
  }

  return {
    /** The account that the page was opened with. */
    get user() {
      return user
    },
    openedBy(next: User) {
      user = next
    },
    forget() {
      user = undefined
      show(undefined)
      settle(false)
    },
    ask(reason: EndReason) {
      if (user !== undefined) show({ reason, user, isAsking: true })
    },
    /** Returns whether to send the request again. After "Not now", only a write asks again. */
    async wait(reason: EndReason, isWrite: boolean): Promise<boolean> {
      if (user === undefined || (shown?.isAsking === false && !isWrite)) return false
      show({ reason, user, isAsking: true })
      return new Promise((resolve) => waiting.add(resolve))
    },
    notNow() {
      if (shown !== undefined) show({ ...shown, isAsking: false })
      settle(false)
    },
    signedInAgain() {
      show(undefined)
      settle(true)
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    shown: () => shown,
  }
}

export const sessionEnd = makeSessionEnd()
