/** Seconds, or minutes if there are many. */
function waitText(seconds = 60): string {
  if (seconds <= 120) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return `${Math.ceil(seconds / 60)} minutes`
}

export const strings = {
  product: 'to Catalog Service',
  form: {
    email: 'Email',
    emailMissing: 'Enter your email.',
    password: 'Password',
    passwordMissing: 'Enter your password.',
    submit: 'Sign in',
    wrong: 'Incorrect email or password. Check both, then try again.',
    tooMany: (seconds: number | undefined) => `Too many attempts. Wait ${waitText(seconds)}, then try again.`,
    or: 'or',
  },
  company: {
    signIn: 'Sign in with company account',
    blocked: 'The browser blocked the new window. Allow pop-ups for this page, then try again.',
    operators: 'Operator sign-in',
    /** By error code. */
    problems: {
      company_sign_in_failed: 'The sign-in was not completed. Try again.',
      company_sign_in_unavailable: 'The identity provider does not respond. Try again in a few minutes.',
      company_email_unverified:
        'The identity provider did not confirm your email address. Verify it there, then try again.',
      company_account_not_linked:
        'An account with your email exists, but is not linked. Sign in with your password and link the company account on the account page. Or ask the operator to link it.',
      no_company_access: 'Your company account has no access to this service. Contact the operator.',
      too_many_attempts: 'Too many attempts. Wait one minute, then try again.',
      too_busy: 'Too many people are signing in. Try again in a minute.',
      sign_in_expired: 'The sign-in took too long. Try again.',
    } as Record<string, string>,
    unknownProblem: 'The sign-in was not completed. Try again.',
  },
  passkey: {
    signIn: 'Sign in with a passkey',
    failed: 'The passkey could not be used. Try again, or sign in another way.',
    /** By the name of the browser’s error. */
    errors: {
      NotAllowedError: 'No passkey was used: the request was canceled or took too long. Try again.',
      AbortError: 'No passkey was used: the request was canceled. Try again.',
      InvalidStateError: 'This device already has a passkey for your account.',
      SecurityError: 'Browsers allow passkeys only over HTTPS, or on localhost.',
      NotSupportedError: 'This browser or device does not support passkeys.',
    } as Record<string, string>,
  },
  step: {
    title: 'Second factor',
    totp: {
      text: 'Enter the code that your authenticator app shows for Catalog Service.',
      label: 'Code',
      missing: 'Enter the six digits from your authenticator app.',
      submit: 'Continue',
      choose: 'Use the authenticator app',
    },
    passkey: {
      text: 'Confirm the sign-in with one of your passkeys.',
      submit: 'Use a passkey',
      choose: 'Use a passkey',
    },
    recovery_code: {
      text: 'Enter one of your recovery codes. Each code works once.',
      label: 'Recovery code',
      missing: 'Enter a recovery code.',
      submit: 'Continue',
      choose: 'Use a recovery code',
    },
    back: 'Back to sign-in',
    startAgain: 'Start again',
  },
  page: {
    windowTitle: 'Sign in · Catalog Service',
    title: 'Sign in',
    ended: 'Your session ended',
    endedHint: 'Sign in again to return to your page.',
    help: 'No account, or forgot your password? Contact the operator.',
  },
  again: {
    titles: {
      ended: 'Your session ended',
      other_account: 'You signed in with another account',
      second_factor: 'Your role now requires a second factor',
    },
    setUp: 'Set up in a new tab',
    banner: (title: string) => `${title}. This page can’t load or save anything.`,
    continue: {
      ended: 'Sign in again',
      other_account: 'Sign in again',
      second_factor: 'Set up a second factor',
    },
    texts: {
      ended: 'Sign in again to continue. This page keeps everything that you entered.',
      other_account:
        'This browser now uses another account. This page sends nothing under that account. To continue here, sign in with the account that opened this page.',
      second_factor:
        'Set up an authenticator app or a passkey in a new tab, then return to this page. It keeps everything that you entered.',
    },
    notNow: 'Not now',
    leaveLead: { ended: 'Not you? ', other_account: '' },
    leave: {
      ended: 'Use another account',
      other_account: 'Continue with the other account',
    },
    leaveHint: '. This closes the current page.',
  },
  setUp: {
    windowTitle: 'Set up a second factor · Catalog Service',
    title: 'Set up a second factor',
    lead: 'Your role requires it. Choose one; you can add the other one later.',
    signOut: 'Sign out',
  },
  doneElsewhere: {
    windowTitle: 'Signed in · Catalog Service',
    title: 'You are signed in',
    text: 'Close this tab and continue in the other one.',
    open: 'Open the console in this tab',
  },
  invitation: {
    windowTitle: 'Invitation · Catalog Service',
    title: 'Welcome',
    choose: 'Set a password for',
    chooseEnd: '.',
    submit: 'Set password and sign in',
    incomplete: 'The link is incomplete. Copy the whole link, or ask for a new one.',
    invalid: 'This link is invalid or expired',
    toSignIn: 'Go to sign-in',
  },
  join: {
    lead: (project: string, role: string) => `You are invited to join ${project} as ${role}.`,
    roles: { viewer: 'a viewer', editor: 'an editor', manager: 'a manager' },
    way: 'Your account',
    isNew: 'I’m new here',
    isKnown: 'I have an account',
    refused:
      'This email already has an account, and its password did not change. Sign in to join the project.',
    join: (email: string) => `Join as ${email}`,
  },
}
