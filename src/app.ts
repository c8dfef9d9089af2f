import type { FastifyPluginAsync } from 'fastify'
import { attributeDefinitionRoutes } from './attributes/attribute-definition.routes.ts'
import {
  AttributeDefinitionPageSchema,
  AttributeDefinitionSchema,
  AttributeDefinitionsPutSchema,
} from './attributes/attribute-definition.schema.ts'
import { attributePreviewRoutes } from './attributes/attribute-preview.routes.ts'
import { AttributePreviewSchema } from './attributes/attribute-preview.schema.ts'
import { attributeSuggestionRoutes } from './attributes/attribute-suggestion.routes.ts'
import { AttributeSuggestionsSchema } from './attributes/attribute-suggestion.schema.ts'
import { categoryRoutes } from './categories/category.routes.ts'
import {
  CategoryDetailSchema,
  CategoryMergedSchema,
  CategoryNodeSchema,
  CategoryPageSchema,
  CategorySchema,
  CategoryTreeSchema,
  ListedCategorySchema,
} from './categories/category.schema.ts'
import { consoleApi } from './console/console-api.ts'
import { consolePages } from './console/pages.ts'
import { EventPageSchema, EventSchema } from './events/event.schema.ts'
import { eventRoutes } from './events/events.routes.ts'
import { findFeedLag } from './events/feed-lag.sql.ts'
import { addRoutes, apart } from './http/add-routes.ts'
import { apiRouteRules } from './http/api-route-rules.ts'
import { allowOrigins } from './http/cors.ts'
import { exposeMetrics } from './http/metrics/metrics.ts'
import { describeApi } from './http/openapi.ts'
import { ProblemSchema } from './http/problem.schema.ts'
import { boundAnswers } from './http/response/answers-in-flight.ts'
import { dropDepartedReads } from './http/response/client-left.ts'
import { compressAnswers } from './http/response/compression.ts'
import { refuseUncheckedCondition, tagAnswer } from './http/response/etag.ts'
import { createServer, type Server, type ServerConfig } from './http/server.ts'
import { serviceRoutes } from './http/service.routes.ts'
import type { Certificate } from './http/tls/certificate.ts'
import { answerUnknownRoutes } from './http/unknown-routes.ts'
import { kindsOf } from './job-ends.ts'
import { countJobs } from './jobs/job-list.sql.ts'
import examples from './openapi-examples.json' with { type: 'json' }
import { productExportRoutes } from './products/export/product-export.routes.ts'
import { productFacetRoutes } from './products/facets/product-facets.routes.ts'
import { ProductFacetsSchema } from './products/facets/product-facets.schema.ts'
import { productHistoryRoutes } from './products/history/product-history.routes.ts'
import { ProductChangeSchema, ProductHistorySchema } from './products/history/product-history.schema.ts'
import { productInventoryRoutes } from './products/inventory/product-inventory.routes.ts'
import { KeptAdjustmentSchema, KeptAdjustmentsSchema } from './products/inventory/product-inventory.schema.ts'
import { productListRoutes } from './products/list/product-list.routes.ts'
import { categoryMergeRoutes } from './products/merge/category-merge.routes.ts'
import { productRoutes } from './products/product.routes.ts'
import { InventorySchema, ProductDetailSchema, QualityScoreSchema } from './products/product.schema.ts'
import { productBySkuRoutes } from './products/product-by-sku.routes.ts'
import { PushedProductSchema } from './products/product-input.schema.ts'
import {
  ListedProductPageSchema,
  ListedProductSchema,
  ProductDetailPageSchema,
  ProductSchema,
} from './products/product-list.schema.ts'
import { productBulkRoutes } from './products/push/product-push.routes.ts'
import { PushAnswerSchema } from './products/push/verdicts.ts'
import { productRevertRoutes } from './products/revert/product-revert.routes.ts'
import { projectRoutes } from './projects/project.routes.ts'
import { ProjectSchema } from './projects/project.schema.ts'
import { promptRoutes } from './prompts/prompt.routes.ts'
import { PromptPageSchema, PromptSchema } from './prompts/prompt.schema.ts'
import { promptLabelRoutes } from './prompts/prompt-label.routes.ts'
import {
  PromptLabelMovePageSchema,
  PromptLabelMoveSchema,
  PromptLabelSchema,
} from './prompts/prompt-label.schema.ts'
import { RenderedPromptSchema } from './prompts/prompt-render.schema.ts'
import { promptVersionRoutes } from './prompts/prompt-version.routes.ts'
import {
  PromptDiffSchema,
  PromptVersionDetailSchema,
  PromptVersionsSchema,
} from './prompts/prompt-version.schema.ts'
import { proposalEditsRoutes } from './proposals/edits/proposal-edits.routes.ts'
import { proposalRoutes } from './proposals/proposal.routes.ts'
import {
  ProposalLinePageSchema,
  ProposalLineSchema,
  ProposalPageSchema,
  ProposalSchema,
} from './proposals/proposal.schema.ts'
import { proposalCreateRoutes } from './proposals/proposal-create.routes.ts'
import { proposalRevertRoutes } from './proposals/revert/proposal-revert.routes.ts'
import { promptOutcomeRoutes } from './provenance/prompt-outcomes.routes.ts'
import { PromptOutcomesSchema } from './provenance/prompt-outcomes.schema.ts'
import { ProvenanceSchema } from './provenance/provenance.schema.ts'
import { QualityRuleSchema } from './quality/quality-rule.schema.ts'
import { qualityRulesRoutes } from './quality/quality-rules.routes.ts'
import { QualityPreviewSchema, QualityRulesSchema } from './quality/quality-rules.schema.ts'
import type { Runtime } from './runtime.ts'
import { VariantsSchema } from './structure/structure.schema.ts'
import { authenticate } from './tokens/authenticate.ts'
import { webhookRoutes } from './webhooks/webhook.routes.ts'
import {
  WebhookAttemptPageSchema,
  WebhookAttemptSchema,
  WebhookPageSchema,
  WebhookParkedPageSchema,
  WebhookParkedSchema,
  WebhookRetriedSchema,
  WebhookSchema,
  WebhookTestSchema,
  WebhookWithSecretSchema,
} from './webhooks/webhook.schema.ts'
import { countByState } from './webhooks/webhook-counts.sql.ts'
import { sentRequests, WebhookEventSchema } from './webhooks/webhook-document.ts'
import { webhookLogRoutes } from './webhooks/webhook-log.routes.ts'

const namedShapes = [
  ProblemSchema,
  ProductSchema,
  ProductDetailSchema,
  ProductDetailPageSchema,
  ListedProductSchema,
  ListedProductPageSchema,
  InventorySchema,
  VariantsSchema,
  QualityScoreSchema,
  ProvenanceSchema,
  QualityRuleSchema,
  QualityRulesSchema,
  QualityPreviewSchema,
  ProductFacetsSchema,
  PushAnswerSchema,
  PushedProductSchema,
  ProductChangeSchema,
  ProductHistorySchema,
  KeptAdjustmentSchema,
  KeptAdjustmentsSchema,
  CategorySchema,
  CategoryDetailSchema,
  ListedCategorySchema,
  CategoryPageSchema,
  CategoryNodeSchema,
  CategoryTreeSchema,
  CategoryMergedSchema,
  AttributeDefinitionSchema,
  AttributeDefinitionPageSchema,
  AttributeDefinitionsPutSchema,
  AttributeSuggestionsSchema,
  AttributePreviewSchema,
  PromptSchema,
  PromptPageSchema,
  PromptVersionsSchema,
  PromptVersionDetailSchema,
  PromptDiffSchema,
  PromptLabelSchema,
  PromptLabelMoveSchema,
  PromptLabelMovePageSchema,
  RenderedPromptSchema,
  ProposalSchema,
  ProposalPageSchema,
  ProposalLineSchema,
  ProposalLinePageSchema,
  PromptOutcomesSchema,
  WebhookSchema,
  WebhookPageSchema,
  WebhookWithSecretSchema,
  WebhookTestSchema,
  WebhookAttemptSchema,
  WebhookAttemptPageSchema,
  WebhookParkedSchema,
  WebhookParkedPageSchema,
  WebhookRetriedSchema,
  WebhookEventSchema,
  ProjectSchema,
  EventSchema,
  EventPageSchema,
]

/** Everything that is served, in order. */
export async function buildApp(
  config: ServerConfig,
  runtime: Runtime,
  certificate?: Certificate,
): Promise<Server> {
  const { database, rateLimiter, memory, counters, lastUse, usage, watch } = runtime
  const app = createServer(config, runtime.log, runtime.timeLimits, certificate)
  for (const shape of namedShapes) app.addSchema(shape)

  await compressAnswers(app)
  boundAnswers(app, memory.answers)
  dropDepartedReads(app)
  allowOrigins(app, config.corsOrigins ?? [])
  answerUnknownRoutes(app)
  await describeApi(app, examples, sentRequests)
  exposeMetrics(app, {
    config,
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
  readPageOnce,
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
      productListRoutes(database, { rulesets, largeProjects, sharedPages, readLargePage, readPageOnce }),
      productRoutes(database, products, rulesets),
      productBySkuRoutes(database, rulesets),
      apart(productBulkRoutes(database, rulesets, pushes)),
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
