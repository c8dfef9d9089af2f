import styles from './webhooks.module.css'

/** Which event a row of attempts or of parked events is about. */
export function EventName({ type, event_id }: { type: string; event_id: string }) {
  return (
    <>
      <div className={styles.address}>{type}</div>
      <code className={styles.small}>{event_id}</code>
    </>
  )
}
