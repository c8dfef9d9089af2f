import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { read, write } from '../network.ts'
import type { Notification, Page } from '../wire.ts'

const own = '/console/api/notifications'
export const notificationsKey = ['notifications']

/** One small request per half minute and visible tab. Other tabs ask when they become visible. */
const pollMilliseconds = 30_000

/** The number of unread notifications, and the newest of them. */
export const unreadQuery = queryOptions({
  queryKey: [...notificationsKey, 'unread'],
  queryFn: ({ signal }) => read<Page<Notification>>(`${own}?unread=true&page_size=1`, signal),
  refetchInterval: pollMilliseconds,
  staleTime: 0,
})

export const notificationsQuery = (size: number) =>
  queryOptions({
    queryKey: [...notificationsKey, 'list', size],
    queryFn: ({ signal }) => read<Page<Notification>>(`${own}?page_size=${size}`, signal),
    placeholderData: keepPreviousData,
    // The list opens with what is new since.
    staleTime: 0,
  })

export const markRead = (body: { ids: number[] } | { up_to: number }) =>
  write<{ read: number }>('POST', `${own}/read`, body)
