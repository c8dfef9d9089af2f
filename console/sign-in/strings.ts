export const strings = {
  product: 'to Catalog Service',
  form: {
    email: 'Email',
    emailMissing: 'Enter your email.',
    password: 'Password',
    passwordMissing: 'Enter your password.',
    submit: 'Sign in',
    wrong: 'Incorrect email or password. Check both, then try again.',
    tooMany: (seconds: number | undefined) =>
      `Too many attempts. Wait ${seconds === undefined ? 'one minute' : `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`}, then try again.`,
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
    },
    banner: (title: string) => `${title}. This page can’t load or save anything.`,
    signIn: 'Sign in again',
    texts: {
      ended: 'Sign in again to continue. This page keeps everything that you entered.',
      other_account:
        'This browser now uses another account. This page sends nothing under that account. To continue here, sign in with the account that opened this page.',
    },
    notNow: 'Not now',
    leaveLead: { ended: 'Not you? ', other_account: '' },
    leave: {
      ended: 'Use another account',
      other_account: 'Continue with the other account',
    },
    leaveHint: '. This closes the current page.',
  },
  invitation: {
    windowTitle: 'Invitation · Catalog Service',
    title: 'Welcome',
    choose: 'Set a password for',
    chooseEnd: '.',
    submit: 'Set password and sign in',
    incomplete: 'The link is incomplete. Copy the whole link, or ask the operator for a new one.',
    invalid: 'This link is invalid or expired',
    toSignIn: 'Go to sign-in',
  },
}
