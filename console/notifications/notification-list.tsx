import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import { Icon } from '../parts/icons.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { notifyError } from '../parts/notify.ts'
import type { Notification } from '../wire.ts'
import styles from './bell.module.css'
import { linkOf, textOf } from './describe.ts'
import { strings } from './list-strings.ts'
import { markRead, notificationsKey, notificationsQuery } from './queries.ts'

const step = 20
const most = 500

type Props = { unread: number; close: () => void }

/** The newest notifications, of all projects. A section, which takes the focus when a button is removed. */
export function NotificationList({ unread, close }: Props) {
  const [size, setSize] = useState(step)
  const query = useQuery(notificationsQuery(size))
  const mark = useMarkRead()
  const newest = query.data?.results[0]?.id
  return (
    <section className={styles.content}>
      <div className={styles.head}>
        <h2 className={styles.title}>{strings.title}</h2>
        {unread > 0 && newest !== undefined && (
          <Button size="compact-xs" variant="subtle" onClick={() => mark.mutate({ up_to: newest })}>
            {strings.readAll}
          </Button>
        )}
      </div>
      <Loaded query={query}>
        {({ results, count }) =>
          results.length === 0 ? (
            <Empty title={strings.empty}>{strings.emptyHint}</Empty>
          ) : (
            <>
              <ul className={styles.list}>
                {results.map((notification) => (
                  <Item
                    key={notification.id}
                    notification={notification}
                    read={() => notification.read_at === null && mark.mutate({ ids: [notification.id] })}
                    close={close}
                  />
                ))}
              </ul>
              {count > results.length && size < most && (
                <Button variant="subtle" size="xs" fullWidth onClick={() => setSize(size + step)}>
                  {strings.more}
                </Button>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  )
}

function useMarkRead() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: markRead,
    onSettled: () => queries.invalidateQueries({ queryKey: notificationsKey }),
    onError: notifyError,
  })
}

type ItemProps = { notification: Notification; read: () => unknown; close: () => void }

function Item({ notification, read, close }: ItemProps) {
  const { project, actor, created_at, read_at } = notification
  const isUnread = read_at === null
  const open = () => {
    read()
    close()
  }
  return (
    <li className={styles.item} data-unread={isUnread || undefined}>
      <Link {...linkOf(notification)} className={styles.link} onClick={open}>
        {isUnread && <span className="unseen">{strings.unread}: </span>}
        <bdi className={styles.text}>{textOf(notification)}</bdi>
        <span className={styles.small}>
          {project !== null && <bdi>{project.name}</bdi>}
          {project !== null && ' · '}
          {actor !== null && (
            <>
              <bdi>{strings.by(actor)}</bdi>
              {' · '}
            </>
          )}
          <RelativeTime at={created_at} />
        </span>
      </Link>
      {isUnread && (
        <Tooltip label={strings.readOne}>
          <ActionIcon variant="subtle" size="md" aria-label={strings.readOne} onClick={read}>
            <Icon name="check" size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  )
}
