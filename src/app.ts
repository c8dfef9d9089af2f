import { companySettings } from './access/company-accounts/company-settings.ts'
import { serveDirectly } from './access/stored-responses/serve-directly.ts'
import { storedResponses } from './access/stored-responses/serve-stored.ts'
import { authenticate } from './access/tokens/authenticate.ts'
import { openTokenChecks } from './access/tokens/token-checks.ts'
import { agentRoutes } from './agents/agent.routes.ts'
import { apiRoutes } from './api-routes.ts'
import { publicFileRoutes } from './catalog/assets/public-file.routes.ts'
import { countRunsByState } from './catalog/runs/run-counts.sql.ts'
import type { Config } from './config.ts'
import { consoleApi } from './console-api/console-api.ts'
import { consolePages } from './console-api/pages.ts'
import { clientRoutes } from './delivery/client/client.routes.ts'
import { findFeedLag } from './delivery/events/feed-lag.sql.ts'
import { countWebhooksByState } from './delivery/webhooks/webhook-counts.sql.ts'
import { sentRequests } from './delivery/webhooks/webhook-document.ts'
import { kindsOf } from './operations/jobs/job-ends.ts'
import { addRoutes } from './platform/http/add-routes.ts'
import { apiRouteRules } from './platform/http/api-route-rules.ts'
import { allowOrigins } from './platform/http/cors.ts'
import { exposeMetrics } from './platform/http/metrics/metrics.ts'
import { describeApi } from './platform/http/openapi.ts'
import { dropDisconnectedReads } from './platform/http/response/client-disconnect.ts'
import { compressResponses } from './platform/http/response/compression.ts'
import { rejectUncheckedConditions, tagResponse } from './platform/http/response/etag.ts'
import { limitResponsesInFlight } from './platform/http/response/responses-in-flight.ts'
import { createServer, type Server } from './platform/http/server.ts'
import { serviceRoutes } from './platform/http/service.routes.ts'
import type { Certificate } from './platform/http/tls/certificate.ts'
import { handleUnknownRoutes } from './platform/http/unknown-routes.ts'
import { afterWrites } from './platform/http/write-routes.ts'
import { countJobs } from './platform/jobs/job-list.sql.ts'
import type { Runtime } from './runtime.ts'

/** The settings that affect the routes. The rest of Config concerns the process. */
type AppConfig = Partial<
  Pick<
    Config,
    | 'baseUrl'
    | 'behindProxy'
    | 'corsOrigins'
    | 'metricsToken'
    | 'backupEvery'
    | 'databaseUrl'
    | 'authSecret'
    | 'oidcIssuer'
    | 'oidcClientId'
    | 'oidcClientSecret'
    | 'oidcScopes'
    | 'oidcGroupsClaim'
    | 'oidcGroupsFile'
    | 'localSignIn'
    | 'allowLocalOperator'
  >
>

/** Registers everything that the service serves, in order. */
export async function buildApp(
  config: AppConfig,
  runtime: Runtime,
  certificate?: Certificate,
): Promise<Server> {
  const { database, rateLimiter, memory, counters, lastUse, usage, activity, watch } = runtime
  const app = createServer(config, runtime.log, runtime.timeLimits, certificate)

  await compressResponses(app)
  limitResponsesInFlight(app, memory.responses)
  dropDisconnectedReads(app)
  allowOrigins(app, config.corsOrigins ?? [])
  handleUnknownRoutes(app)
  await describeApi(app, sentRequests)
  const countRequest = exposeMetrics(app, {
    settings: config,
    database,
    counters,
    feedLag: () => findFeedLag(database),
    webhooks: () => countWebhooksByState(database),
    promptRuns: () => countRunsByState(database),
    jobs: () => countJobs(database, kindsOf(config)),
    cache: runtime.stored,
  })
  await addRoutes(app, serviceRoutes(database))
  afterWrites(app, (request) => {
    watch.notifyWrite()
    activity.count(request)
  })

  const stored = runtime.stored && storedResponses(app, runtime.stored, counters.countCached)
  const { findCredentials, findFenced } = runtime
  const tokens = openTokenChecks({
    limits: rateLimiter.project,
    onUse({ token_id, project_id }) {
      lastUse.mark(token_id)
      usage.count(project_id)
    },
  })
  const authentication = authenticate(
    findCredentials,
    tokens,
    rateLimiter.address,
    stored && { findFenced, skips: stored.skips, readsAhead: stored.readsAhead },
  )
  if (stored !== undefined) app.serveFirst(serveDirectly(app, { stored, tokens, findFenced, countRequest }))
  const routes = apiRoutes(runtime)
  const agents = agentRoutes({ app, database, tokens, origins: config.corsOrigins ?? [] })
  for (const prefix of ['/api', '/v2']) {
    await app.register(
      async (api) => {
        api.addHook('onRoute', apiRouteRules)
        api.addHook('onRequest', authentication)
        rejectUncheckedConditions(api)
        stored?.addHooks(api)
        api.addHook('onSend', tagResponse)
        await addRoutes(api, routes, agents)
      },
      { prefix },
    )
  }
  await app.register(async (api) => {
    api.addHook('onRoute', apiRouteRules)
    api.addHook('onRequest', authentication)
    await addRoutes(api, agents)
  })
  await app.register(
    consoleApi({
      database,
      secret: config.authSecret,
      company: companySettings(config),
      localRules: {
        isOff: config.localSignIn === 'off',
        allowsOperators: config.allowLocalOperator ?? false,
      },
      rateLimiter,
      apiRoutes: routes,
      stored,
    }),
    {
      prefix: '/console',
    },
  )
  await addRoutes(app, publicFileRoutes(runtime.assets, rateLimiter), clientRoutes(), consolePages())
  return app
}
