import { Popover, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useAnnouncer } from '../parts/announcer.tsx'
import { Icon } from '../parts/icons.tsx'
import { lazyPart } from '../routes/lazy-page.ts'
import styles from './bell.module.css'
import { unreadQuery } from './queries.ts'
import { strings } from './strings.ts'

const NotificationList = lazy(
  lazyPart(async () => ({ default: (await import('./notification-list.tsx')).NotificationList })),
)

const describe = lazyPart(() => import('./describe.ts'))

/** Opens the notifications, and shows how many are unread. */
export function Bell() {
  const [isOpen, setOpen] = useState(false)
  const unread = useUnread()?.count ?? 0
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      shadow="md"
      width={380}
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <UnstyledButton
          className={styles.bell}
          aria-label={strings.bell(unread)}
          aria-haspopup="dialog"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="bell" size={20} />
          {unread > 0 && (
            <span aria-hidden="true" className={styles.number}>
              {strings.number(unread)}
            </span>
          )}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={styles.dropdown} aria-label={strings.title}>
        <Suspense>{isOpen && <NotificationList unread={unread} close={() => setOpen(false)} />}</Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}

const delayMilliseconds = 1_500

/** Asks after the page has loaded its own data. */
function useUnread() {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), delayMilliseconds)
    return () => clearTimeout(timer)
  }, [])
  return useQuery({ ...unreadQuery, enabled: isReady }).data
}

/** Once per page, because a page can have two bells. */
export function NotificationAnnouncer() {
  const unread = useUnread()
  const newest = unread?.results[0]
  const { announce, region } = useAnnouncer()
  const last = useRef<number>(undefined)
  useEffect(() => {
    if (unread === undefined) return
    // What was unread before the page opened is no news.
    const isNews = last.current !== undefined && newest !== undefined && newest.id > last.current
    if (isNews) void describe().then(({ newsOf }) => announce(newsOf(newest)))
    last.current = Math.max(last.current ?? 0, newest?.id ?? 0)
  }, [unread, newest, announce])
  return region
}
