import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import styles from './page.module.css'
import { strings } from './strings.ts'

type PageProps = { title: string; lead?: ReactNode; actions?: ReactNode; children: ReactNode }

/** A screen with title (also of the window), introduction and actions. */
export function Page({ title, lead, actions, children }: PageProps) {
  return (
    <>
      <title>{strings.page.windowTitle(title)}</title>
      <div className={styles.head}>
        <div>
          <Title order={1}>
            <bdi>{title}</bdi>
          </Title>
          {lead !== undefined && <p className={styles.lead}>{lead}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      <div className={styles.body}>{children}</div>
    </>
  )
}

type CardProps = {
  /** Omitted if it would repeat the page title. `label` then names the section for screen readers. */
  title?: string
  label?: string
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
  flush?: boolean
}

/** A section of a screen with its own heading. `flush` lets a table reach the edges. */
export function Card({ title, label, lead, actions, children, flush = false }: CardProps) {
  const id = useId()
  if (title === undefined)
    return (
      <section aria-label={label} className={styles.card}>
        <div className={flush ? undefined : styles.cardBody}>{children}</div>
      </section>
    )
  return (
    <section aria-labelledby={id} className={styles.card}>
      <div className={styles.cardHead}>
        <div>
          <Title order={2} id={id}>
            {title}
          </Title>
          {lead !== undefined && <p className={styles.cardLead}>{lead}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      <div className={flush ? undefined : styles.cardBody}>{children}</div>
    </section>
  )
}
