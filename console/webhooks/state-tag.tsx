import { Tag } from '../parts/badges.tsx'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import type { Webhook } from '../wire.ts'
import { errorText } from './format.ts'
import { strings } from './strings.ts'
import styles from './webhooks.module.css'

const tones = { enabled: 'accent', failing: 'yellow', disabled: 'red' } as const

type Props = { webhook: Pick<Webhook, 'state' | 'disabled_at' | 'failing_since'> }

/** The state, and the start of a problem. */
export function StateTag({ webhook: { state, disabled_at, failing_since } }: Props) {
  const since = { enabled: null, failing: failing_since, disabled: disabled_at }[state]
  return (
    <>
      <Tag tone={tones[state]}>{strings.states[state]}</Tag>
      {since !== null && (
        <div className={styles.small}>
          {strings.since} <RelativeTime at={since} />
        </div>
      )}
    </>
  )
}

type ErrorProps = { webhook: Pick<Webhook, 'last_error' | 'last_error_at'> }

export function LastError({ webhook: { last_error, last_error_at } }: ErrorProps) {
  if (last_error === null) return strings.facts.noError
  return (
    <div className={styles.error}>
      {errorText(last_error)}
      {last_error_at !== null && (
        <div className={styles.small}>
          <RelativeTime at={last_error_at} />
        </div>
      )}
    </div>
  )
}

export function LastSuccess({ webhook: { last_success_at } }: { webhook: Pick<Webhook, 'last_success_at'> }) {
  return last_success_at === null ? strings.facts.never : <RelativeTime at={last_success_at} />
}
