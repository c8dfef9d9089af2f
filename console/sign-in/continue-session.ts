import { checkSession, ProblemError } from '../network.ts'
import { sessionEnd } from '../session-end.ts'

/** Continues if the user of this page signed in again, in this tab or in another one. */
export async function continueSession(): Promise<boolean> {
  if (sessionEnd.shown() === undefined) return false
  try {
    const { user } = await checkSession()
    if (user.lacks_second_factor) {
      sessionEnd.ask('second_factor')
      return false
    }
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'other_account') sessionEnd.ask('other_account')
    return false
  }
  sessionEnd.signedInAgain()
  return true
}
