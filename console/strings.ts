export const strings = {
  close: 'Close',
  /** Replaces messages of the API that are written for programs. By error code. */
  problems: {
    database_unavailable: 'The database is unavailable. Try again in a few seconds.',
    outcome_unknown:
      'The database did not confirm the change, so it is unknown whether it was saved. Check before you try again.',
    query_timeout: 'The request took too long. Try again in a few seconds.',
    not_ready: 'The service is starting or stopping. Try again in a few seconds.',
    too_many_attempts: 'Too many attempts. Wait one minute, then try again.',
    not_authenticated: 'Your session ended. Sign in again, then try again.',
    other_account: 'Another account signed in, so nothing was sent. Sign in again, then try again.',
  } as Record<string, string>,
  status: (status: number) => `The service returned status ${status}. Try again, or contact the operator.`,
  unreachable: {
    read: {
      online:
        'The service does not respond. Check that it is running and that you are connected, then try again.',
      offline: 'You are offline. Connect to the network, then try again.',
    },
    write: {
      online:
        'The service did not respond, so it is unknown whether the change was saved. Check before you try again.',
      offline: 'You are offline, so nothing was sent. Connect to the network, then try again.',
    },
  },
  saved: 'Your change was saved, but the service could not return it. Do not repeat it.',
  noResponse:
    'No response. Check that the service is running and that you are connected. After a write, check whether it was saved before you send it again.',
}
