import type { FastifyPluginAsync } from 'fastify'
import { projectRoutes } from './access/projects/project.routes.ts'
import { authenticate } from './access/tokens/authenticate.ts'
import { attributeDefinitionRoutes } from './catalog/attributes/attribute-definition.routes.ts'
import { attributePreviewRoutes } from './catalog/attributes/attribute-preview.routes.ts'
import { attributeSuggestionRoutes } from './catalog/attributes/attribute-suggestion.routes.ts'
import { categoryRoutes } from './catalog/categories/category.routes.ts'
import { productInventoryRoutes } from './catalog/inventory/product-inventory.routes.ts'
import { productExportRoutes } from './catalog/products/export/product-export.routes.ts'
import { productFacetRoutes } from './catalog/products/facets/product-facets.routes.ts'
import { productHistoryRoutes } from './catalog/products/history/product-history.routes.ts'
import { productListRoutes } from './catalog/products/list/product-list.routes.ts'
import { categoryMergeRoutes } from './catalog/products/merge/category-merge.routes.ts'
import { productRoutes } from './catalog/products/product.routes.ts'
import { productBySkuRoutes } from './catalog/products/product-by-sku.routes.ts'
import { productRevertRoutes } from './catalog/products/revert/product-revert.routes.ts'
import { promptOutcomeRoutes } from './catalog/prompts/outcomes/prompt-outcomes.routes.ts'
import { promptRoutes } from './catalog/prompts/prompt.routes.ts'
import { promptLabelRoutes } from './catalog/prompts/prompt-label.routes.ts'
import { promptVersionRoutes } from './catalog/prompts/prompt-version.routes.ts'
import { proposalEditsRoutes } from './catalog/proposals/edits/proposal-edits.routes.ts'
import { proposalRoutes } from './catalog/proposals/proposal.routes.ts'
import { proposalCreateRoutes } from './catalog/proposals/proposal-create.routes.ts'
import { proposalRevertRoutes } from './catalog/proposals/revert/proposal-revert.routes.ts'
import { pushRoutes } from './catalog/push/push.routes.ts'
import { qualityRulesRoutes } from './catalog/quality/quality-rules.routes.ts'
import { promptRenderRoutes } from './catalog/rendering/prompt-render.routes.ts'
import type { Config } from './config.ts'
import { consoleApi } from './console-api/console-api.ts'
import { consolePages } from './console-api/pages.ts'
import { eventRoutes } from './delivery/events/events.routes.ts'
import { findFeedLag } from './delivery/events/feed-lag.sql.ts'
import { webhookRoutes } from './delivery/webhooks/webhook.routes.ts'
import { countByState } from './delivery/webhooks/webhook-counts.sql.ts'
import { sentRequests } from './delivery/webhooks/webhook-document.ts'
import { webhookLogRoutes } from './delivery/webhooks/webhook-log.routes.ts'
import { kindsOf } from './operations/jobs/job-ends.ts'
import { addRoutes, apart } from './platform/http/add-routes.ts'
import { apiRouteRules } from './platform/http/api-route-rules.ts'
import { allowOrigins } from './platform/http/cors.ts'
import { exposeMetrics } from './platform/http/metrics/metrics.ts'
import { describeApi } from './platform/http/openapi.ts'
import { boundAnswers } from './platform/http/response/answers-in-flight.ts'
import { dropDepartedReads } from './platform/http/response/client-left.ts'
import { compressAnswers } from './platform/http/response/compression.ts'
import { refuseUncheckedCondition, tagAnswer } from './platform/http/response/etag.ts'
import { createServer, type Server } from './platform/http/server.ts'
import { serviceRoutes } from './platform/http/service.routes.ts'
import type { Certificate } from './platform/http/tls/certificate.ts'
import { answerUnknownRoutes } from './platform/http/unknown-routes.ts'
import { countJobs } from './platform/jobs/job-list.sql.ts'
import type { Runtime } from './runtime.ts'

/** The settings that change what is served; the rest of Config is for those who start the service. */
type AppConfig = Partial<
  Pick<
    Config,
    'baseUrl' | 'behindProxy' | 'corsOrigins' | 'metricsToken' | 'backupEvery' | 'databaseUrl' | 'authSecret'
  >
>

/** Everything that is served, in order. */
export async function buildApp(
  config: AppConfig,
  runtime: Runtime,
  certificate?: Certificate,
): Promise<Server> {
  const { database, rateLimiter, memory, counters, lastUse, usage, watch } = runtime
  const app = createServer(config, runtime.log, runtime.timeLimits, certificate)

  await compressAnswers(app)
  boundAnswers(app, memory.answers)
  dropDepartedReads(app)
  allowOrigins(app, config.corsOrigins ?? [])
  answerUnknownRoutes(app)
  await describeApi(app, sentRequests)
  exposeMetrics(app, {
    settings: config,
    database,
    counters,
    feedLag: () => findFeedLag(database),
    webhooks: () => countByState(database),
    jobs: () => countJobs(database, kindsOf(config)),
  })
  await addRoutes(app, serviceRoutes(database))
  app.addHook('onResponse', (request, reply, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead && reply.statusCode < 300) watch.wrote()
    done()
  })

  const authentication = authenticate(runtime.findCredentials, rateLimiter, ({ token_id, project_id }) => {
    lastUse.mark(token_id)
    usage.count(project_id)
  })
  const apiRoutes = allRoutes(runtime)
  for (const prefix of ['/api', '/v2']) {
    await app.register(
      async (api) => {
        api.addHook('onRoute', apiRouteRules)
        api.addHook('onRequest', authentication)
        api.addHook('onRequest', refuseUncheckedCondition)
        api.addHook('onSend', tagAnswer)
        await addRoutes(api, apiRoutes)
      },
      { prefix },
    )
  }
  await app.register(consoleApi({ database, secret: config.authSecret, rateLimiter, apiRoutes }), {
    prefix: '/console',
  })
  await addRoutes(app, consolePages())
  return app
}

/** The API itself; who may call it is the business of where it is mounted. */
function allRoutes({
  database,
  products,
  rulesets,
  pushes,
  sharePage,
  largeProjects,
  sharedPages,
  readLargePage,
  longVersions,
  expensiveReads,
  webhooks,
  watch,
  readFeed,
  memory,
}: Runtime): FastifyPluginAsync {
  return async (api) => {
    await addRoutes(
      api,
      productListRoutes(database, { rulesets, largeProjects, sharedPages, readLargePage, sharePage }),
      productRoutes(database, products, rulesets),
      productBySkuRoutes(database, rulesets),
      apart(pushRoutes(database, rulesets, pushes)),
      productFacetRoutes(database, rulesets),
      productExportRoutes(database, rulesets),
      productHistoryRoutes(database, readLargePage),
      productRevertRoutes(database, products, rulesets),
      productInventoryRoutes(database),
      qualityRulesRoutes(database, rulesets, expensiveReads),
      categoryRoutes(database),
      categoryMergeRoutes(database, rulesets),
      attributeDefinitionRoutes(database, rulesets),
      attributeSuggestionRoutes(database, rulesets, expensiveReads),
      attributePreviewRoutes(database, expensiveReads),
      promptRoutes(database, readLargePage),
      promptVersionRoutes(database, longVersions),
      promptRenderRoutes(database),
      promptLabelRoutes(database),
      apart(proposalCreateRoutes(database, rulesets, pushes)),
      proposalEditsRoutes(database, rulesets),
      proposalRevertRoutes(database),
      proposalRoutes(database, rulesets, readLargePage, pushes.atOnce),
      promptOutcomeRoutes(database),
      webhookRoutes(database, webhooks.box, webhooks.sender),
      webhookLogRoutes(database),
      projectRoutes,
      eventRoutes({ database, watch, readFeed }, memory.events),
    )
  }
}
