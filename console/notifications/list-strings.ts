import { numberText } from '../parts/format/number-text.ts'

const jobs: Record<string, string> = {
  'proposal.prepare': 'A proposal could not be prepared',
  'quality.score': 'Products could not be scored',
  'prompt.run': 'A run of a prompt failed',
  'media.thumbnail': 'Thumbnails could not be created',
}

const runStates: Record<string, string> = {
  waiting: 'waits for your review',
  paused: 'is paused',
  stopped_at_budget: 'stopped at its budget',
  done: 'is done',
  cancelled: 'is canceled',
  failed: 'failed',
}

export const strings = {
  title: 'Notifications',
  announced: (text: string) => `New notification: ${text}`,
  readAll: 'Mark all as read',
  readOne: 'Mark as read',
  unread: 'Unread',
  more: 'Show more',
  empty: 'No notifications yet',
  emptyHint:
    'You get notifications about your proposals, imports, runs and requests. Managers also get them for proposals to review, failing webhooks and failed jobs.',
  by: (actor: string) => `by ${actor}`,
  texts: {
    access_decided: (state: string) => `API access ${state}`,
    import_finished: (title: string) => `“${title}” finished`,
    proposal_decided: (title: string, state: string) =>
      state === 'expired' ? `“${title}” expired` : `“${title}” was ${state}`,
    second_factor_reset: 'Your second factor was reset',
    proposal_waiting: (title: string) => `“${title}” waits for review`,
    proposals_waiting: (events: number, title: string) =>
      `${numberText(events)} new proposals wait for review, the latest: “${title}”`,
    webhook_failing: (host: string, state: string) => `The webhook for ${host} is ${state}`,
    run_waiting: (prompt: string, state: string) =>
      `The run of “${prompt}” ${runStates[state] ?? 'waits for you'}`,
    run_finished: (prompt: string, state: string) =>
      `The run of “${prompt}” ${runStates[state] ?? 'is finished'}`,
    job_failed: (kind: string) => jobs[kind] ?? `A background job failed: ${kind}`,
  },
  states: {
    partly_applied: 'partly applied',
    failed: 'not prepared',
  } as Record<string, string>,
}
