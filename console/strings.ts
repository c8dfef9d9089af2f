export const strings = {
  close: 'Close',
  /** Replaces API messages that are written for applications. By error code. */
  problems: {
    database_unavailable: 'The database is unavailable. Try again in a few seconds.',
    outcome_unknown: 'The change may not have been saved. Reload the page to check before you try again.',
    query_timeout: 'The request took too long. Try again in a few seconds.',
    not_ready: 'The service is starting or stopping. Try again in a few seconds.',
    too_many_attempts: 'Too many attempts. Wait one minute, then try again.',
    not_authenticated: 'Your session ended. Sign in again, then try again.',
    other_account:
      'You signed in with another account, so nothing was sent. Sign in with the account that opened this page, then try again.',
  } as Record<string, string>,
  status: (status: number) => `The service returned status ${status}. Try again, or contact the operator.`,
  unreachable: {
    read: {
      online: 'The service is not responding. Check your connection, then try again.',
      offline: 'You are offline. Connect to the network, then try again.',
    },
    write: {
      online: 'The change may not have been saved. Reload the page to check before you try again.',
      offline: 'You are offline, so nothing was sent. Connect to the network, then try again.',
    },
  },
  saved:
    'Your change was saved, but the result did not load. Reload the page. Don’t submit the change again.',
  noResponse:
    'No response. Check that the service is running and that you are connected. If the request writes data, check whether it was saved before you send it again.',
}
