import { Tag } from '../parts/badges.tsx'
import { Moment } from '../parts/words/moment.tsx'
import type { Webhook } from '../wire.ts'
import { errorText, stateWords } from './format.ts'
import styles from './webhooks.module.css'

type Props = { webhook: Pick<Webhook, 'state' | 'disabled_at' | 'failing_since'> }

/** The state, and since when it is none to be glad of. */
export function StateTag({ webhook: { state, disabled_at, failing_since } }: Props) {
  const { tone, text } = stateWords[state]
  const since = { enabled: null, failing: failing_since, disabled: disabled_at }[state]
  return (
    <>
      <Tag tone={tone}>{text}</Tag>
      {since !== null && (
        <div className={styles.small}>
          since <Moment at={since} />
        </div>
      )}
    </>
  )
}

type ErrorProps = { webhook: Pick<Webhook, 'last_error' | 'last_error_at'> }

export function LastError({ webhook: { last_error, last_error_at } }: ErrorProps) {
  if (last_error === null) return 'None'
  return (
    <div className={styles.error}>
      {errorText(last_error)}
      {last_error_at !== null && (
        <div className={styles.small}>
          <Moment at={last_error_at} />
        </div>
      )}
    </div>
  )
}

export function LastSuccess({ webhook: { last_success_at } }: { webhook: Pick<Webhook, 'last_success_at'> }) {
  return last_success_at === null ? 'Never' : <Moment at={last_success_at} />
}
