import type { FastifyInstance, FastifyPluginAsync, RouteOptions } from 'fastify'
import { accessRequestRoutes } from '../access/access-requests/access-request.routes.ts'
import { apiAccessRoutes } from '../access/access-requests/api-access.routes.ts'
import { auditRoutes } from '../access/audit/audit.routes.ts'
import type { CompanySettings } from '../access/company-accounts/company-settings.ts'
import { companySignIn } from '../access/company-accounts/company-sign-in.ts'
import { operatorCompanyRoutes } from '../access/company-accounts/operator-company.routes.ts'
import { ownCompanyRoutes } from '../access/company-accounts/own-company.routes.ts'
import { invitationRoutes } from '../access/members/invitation.routes.ts'
import { joinProjectRoutes } from '../access/members/join-project.routes.ts'
import { memberRoutes } from '../access/members/member.routes.ts'
import { notificationRoutes } from '../access/notifications/notification.routes.ts'
import { operatorProjectRoutes } from '../access/projects/operator-project.routes.ts'
import { projectMediaRoutes } from '../access/projects/project-media.routes.ts'
import { accountSecurityRoutes } from '../access/second-factors/account-security.routes.ts'
import { operatorSecondFactorRoutes } from '../access/second-factors/operator-second-factor.routes.ts'
import { passkeyRoutes } from '../access/second-factors/passkey.routes.ts'
import { reauthentication } from '../access/second-factors/reauthenticate.ts'
import { authLoader } from '../access/sessions/auth-loader.ts'
import { authSecret } from '../access/sessions/auth-secret.ts'
import {
  requireMember,
  requireOperator,
  requireRole,
  requireSession,
} from '../access/sessions/authenticate-session.ts'
import { companyStepRoutes } from '../access/sessions/company-step.routes.ts'
import { limitUserRate } from '../access/sessions/limit-user.ts'
import { type LocalRules, localSignIn } from '../access/sessions/local-sign-in.ts'
import { openProjectRoutes } from '../access/sessions/open-project.routes.ts'
import { sessionOpener } from '../access/sessions/open-session.ts'
import { ownSessionRoutes } from '../access/sessions/own-sessions.routes.ts'
import { rejectForeignOrigin } from '../access/sessions/same-origin.ts'
import { secondFactorStepRoutes } from '../access/sessions/second-factor-step.routes.ts'
import { sessionRoutes } from '../access/sessions/session.routes.ts'
import { signInRoutes } from '../access/sessions/sign-in.routes.ts'
import type { StoredResponses } from '../access/stored-responses/serve-stored.ts'
import { exchangesAtOnce, openThrottle } from '../access/throttle/throttle.ts'
import { ownTokenRoutes } from '../access/tokens/own-token.routes.ts'
import { tokenRoutes } from '../access/tokens/token.routes.ts'
import { userRoutes } from '../access/users/user.routes.ts'
import { versionSummaryRoutes } from '../catalog/prompts/version-summary.routes.ts'
import type { Database } from '../platform/database/database.ts'
import { addRoutes, isolateRoutes } from '../platform/http/add-routes.ts'
import { apiRouteRules } from '../platform/http/api-route-rules.ts'
import type { RateLimiter } from '../platform/http/limits/rate-limit.ts'
import { rejectUncheckedConditions, tagResponse } from '../platform/http/response/etag.ts'
import { importEndRoutes } from './imports/import-end.routes.ts'
import { mediaFileRoutes } from './media/media-files.routes.ts'
import { operatorWebhookRoutes } from './operator-webhook.routes.ts'
import { overviewRoutes } from './overview/overview.routes.ts'
import { runModelRoutes } from './run-models/run-models.routes.ts'
import { savedViewRoutes } from './saved-views/saved-view.routes.ts'

type Parts = {
  database: Database
  secret: string | undefined
  /** The OpenID provider, if there is one, and who can sign in without it. */
  company: CompanySettings | undefined
  localRules: LocalRules
  rateLimiter: RateLimiter
  /** The routes of the public API, which the console uses too. */
  apiRoutes: FastifyPluginAsync
  /** Responses in memory, and their hooks; undefined if there are none. */
  stored?: StoredResponses | undefined
}

/** The routes that the console calls, under /console. */
export function consoleApi({
  database,
  secret: configured,
  company: settings,
  localRules,
  rateLimiter,
  apiRoutes,
  stored,
}: Parts): FastifyPluginAsync {
  const secret = authSecret(database, configured)
  const loadAuth = authLoader(database, secret)
  const session = requireSession(database, secret)
  const member = requireMember(database, stored?.responses)
  const throttled = openThrottle(database, rateLimiter.address)
  const sessions = sessionOpener(database, loadAuth, secret)
  const company = companySignIn(database, secret, settings)
  const local = localSignIn(database, localRules, settings)
  const reauthenticate = reauthentication(database, throttled)

  return async (app: FastifyInstance) => {
    app.addHook('onRoute', keepOutOfDocument)
    app.addHook('onRequest', rejectForeignOrigin)
    app.guardUnknown('/console/api/', session)
    app.guardUnknown('/console/api/operator/', requireOperator)
    const signIn = {
      database,
      secret,
      loadAuth,
      requireSession: session,
      throttled,
      sessions,
      local,
      company,
    }
    await app.register(signInRoutes(signIn), { prefix: '/auth' })
    await app.register(secondFactorStepRoutes(signIn), { prefix: '/auth' })
    const ofProvider = openThrottle(database, rateLimiter.address, exchangesAtOnce)
    await app.register(companyStepRoutes({ ...signIn, throttled: ofProvider }), { prefix: '/auth' })
    await app.register(invitationRoutes(database, throttled, local.reject), { prefix: '/auth' })
    await app.register(
      async (api) => {
        api.addHook('onRequest', session)
        // A response with its own ETag overrides it.
        api.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
        const ofUser = { database, secret, throttled, reauthenticate }
        await addRoutes(
          api,
          sessionRoutes(database, loadAuth),
          ownSessionRoutes(database),
          accountSecurityRoutes(ofUser),
          passkeyRoutes(ofUser),
          ownCompanyRoutes({ ...ofUser, company }),
        )
        await api.register(async (own) => {
          own.addHook('onRequest', limitUserRate(rateLimiter))
          await addRoutes(own, notificationRoutes(database), joinProjectRoutes(database))
        })
        await api.register(
          async (operator) => {
            operator.addHook('onRequest', requireOperator)
            await addRoutes(
              operator,
              accessRequestRoutes(database),
              operatorProjectRoutes(database),
              tokenRoutes(database),
              userRoutes(database, local.rejectUseless),
              operatorSecondFactorRoutes(database),
              operatorCompanyRoutes(database, company),
              auditRoutes(database),
              operatorWebhookRoutes(database),
            )
          },
          { prefix: '/operator' },
        )
        await api.register(
          async (project) => {
            project.addHook('onRequest', member)
            await addRoutes(
              project,
              openProjectRoutes(database),
              apiAccessRoutes(database),
              projectMediaRoutes(database),
              isolateRoutes(ownTokenRoutes(database)),
            )
            await project.register(async (own) => {
              own.addHook('onRequest', limitUserRate(rateLimiter))
              own.addHook('onRequest', requireRole)
              await addRoutes(
                own,
                memberRoutes(database, local.rejectUseless),
                savedViewRoutes(database),
                overviewRoutes(database),
                mediaFileRoutes(database),
                importEndRoutes(database),
                runModelRoutes(database),
              )
            })
            await project.register(async (shared) => {
              shared.addHook('onRoute', apiRouteRules)
              shared.addHook('onRequest', limitUserRate(rateLimiter))
              shared.addHook('onRequest', requireRole)
              shared.addHook('onRequest', async (request) => {
                if (request.routeOptions.config.waits !== true) return
                request.recheckCaller = async () => {
                  for (const check of [session, member, requireRole]) await check(request)
                  return request.caller
                }
              })
              rejectUncheckedConditions(shared)
              stored?.addHooks(shared)
              shared.addHook('onSend', tagResponse)
              await addRoutes(shared, apiRoutes, versionSummaryRoutes(database))
            })
          },
          { prefix: '/projects/:project_id' },
        )
      },
      { prefix: '/api' },
    )
  }
}

/** The OpenAPI document describes only the routes for tokens. */
function keepOutOfDocument(route: RouteOptions): void {
  route.schema = { ...route.schema, hide: true } as RouteOptions['schema'] & object
}
