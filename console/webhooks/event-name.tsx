import styles from './webhooks.module.css'

export function EventName({ type, event_id }: { type: string; event_id: string }) {
  return (
    <>
      <div className={styles.address}>{type}</div>
      <code className={styles.small}>{event_id}</code>
    </>
  )
}
