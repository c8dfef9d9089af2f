import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Database } from '../../platform/database/database.ts'
import { closed } from '../../platform/http/closed.ts'
import { pageEnvelope, readPage } from '../../platform/http/response/page-envelope.ts'
import {
  NotificationPageSchema,
  NotificationQuerySchema,
  ReadNotificationsSchema,
} from './notification.schema.ts'
import { listNotifications, markNotificationsRead } from './notification.sql.ts'

const ReadCountSchema = Type.Object({ read: Type.Integer() }, closed)

/** The user's own notifications, of all projects. */
export function notificationRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/notifications',
      { schema: { querystring: NotificationQuerySchema, response: { 200: NotificationPageSchema } } },
      async (request) => {
        const { session, query } = request
        const page = readPage(query)
        return pageEnvelope(request, page, await listNotifications(database, session.user_id, query, page))
      },
    )

    app.post(
      '/notifications/read',
      { schema: { body: ReadNotificationsSchema, response: { 200: ReadCountSchema } } },
      async ({ session, body }) => ({ read: await markNotificationsRead(database, session.user_id, body) }),
    )
  }
}
