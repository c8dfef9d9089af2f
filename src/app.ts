import type { FastifyPluginAsync } from 'fastify'
import { categoryRoutes } from './categories/category.routes.ts'
import { CategoryPageSchema, CategorySchema } from './categories/category.schema.ts'
import { consoleApi } from './console/console-api.ts'
import { consolePages } from './console/pages.ts'
import type { Database } from './database/database.ts'
import { limitConcurrency } from './database/scheduling/concurrency-limit.ts'
import { apiRouteRules } from './http/api-route-rules.ts'
import { allowOrigins } from './http/cors.ts'
import { type MemoryBudget, memoryBudget } from './http/limits/memory-budget.ts'
import type { RateLimiter } from './http/limits/rate-limit.ts'
import type { TimeLimits } from './http/limits/time-limits.ts'
import { exposeMetrics } from './http/metrics/metrics.ts'
import {
  openSharedCounters,
  type SharedCounters,
  sharedCountersMemory,
} from './http/metrics/shared-counters.ts'
import { describeApi } from './http/openapi.ts'
import { ProblemSchema } from './http/problem.schema.ts'
import { admitBodies } from './http/request/admission.ts'
import { boundAnswers } from './http/response/answers-in-flight.ts'
import { compressAnswers } from './http/response/compression.ts'
import { refuseUncheckedCondition, tagAnswer } from './http/response/etag.ts'
import { largePageReader } from './http/response/large-pages.ts'
import { createServer, type Server, type ServerConfig } from './http/server.ts'
import { serviceRoutes } from './http/service.routes.ts'
import type { Certificate } from './http/tls/certificate.ts'
import { answerUnknownRoutes } from './http/unknown-routes.ts'
import examples from './openapi-examples.json' with { type: 'json' }
import { productRoutes } from './products/product.routes.ts'
import {
  InventorySchema,
  ListedProductPageSchema,
  ListedProductSchema,
  ProductDetailPageSchema,
  ProductDetailSchema,
  ProductPageSchema,
  ProductSchema,
  QualityScoreSchema,
} from './products/product.schema.ts'
import { productBulkRoutes } from './products/product-bulk.routes.ts'
import { PushAnswerSchema, PushedProductSchema } from './products/product-bulk.schema.ts'
import { productBySkuRoutes } from './products/product-by-sku.routes.ts'
import { productExportRoutes } from './products/product-export.routes.ts'
import { productHistoryRoutes } from './products/product-history.routes.ts'
import {
  KeptAdjustmentSchema,
  KeptAdjustmentsSchema,
  ProductChangeSchema,
  ProductHistorySchema,
} from './products/product-history.schema.ts'
import { productInventoryRoutes } from './products/product-inventory.routes.ts'
import { productListRoutes } from './products/product-list.routes.ts'
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
import { authenticate } from './tokens/authenticate.ts'
import { recordLastUse } from './tokens/last-use.ts'
import { countRequests } from './usage/count-requests.ts'

const namedShapes = [
  ProblemSchema,
  ProductSchema,
  ProductPageSchema,
  ProductDetailSchema,
  ProductDetailPageSchema,
  ListedProductSchema,
  ListedProductPageSchema,
  InventorySchema,
  QualityScoreSchema,
  PushAnswerSchema,
  PushedProductSchema,
  ProductChangeSchema,
  ProductHistorySchema,
  KeptAdjustmentSchema,
  KeptAdjustmentsSchema,
  CategorySchema,
  CategoryPageSchema,
  PromptSchema,
  PromptPageSchema,
  PromptVersionsSchema,
  PromptVersionDetailSchema,
  PromptDiffSchema,
  PromptLabelSchema,
  PromptLabelMoveSchema,
  PromptLabelMovePageSchema,
  RenderedPromptSchema,
  ProjectSchema,
]

type Parts = {
  config: ServerConfig
  database: Database
  rateLimiter: RateLimiter
  certificate?: Certificate | undefined
  counters?: SharedCounters
  timeLimits?: TimeLimits | undefined
  memory?: MemoryBudget
}

/** Everything that is served, in order. */
export async function buildApp({
  config,
  database,
  rateLimiter,
  certificate,
  counters = openSharedCounters(sharedCountersMemory(1), 0),
  timeLimits,
  memory = memoryBudget(),
}: Parts): Promise<Server> {
  const app = createServer(config, certificate, timeLimits)
  for (const shape of namedShapes) app.addSchema(shape)

  await compressAnswers(app)
  boundAnswers(app, memory.answers)
  allowOrigins(app, config.corsOrigins ?? [])
  answerUnknownRoutes(app)
  await describeApi(app, examples)
  exposeMetrics(app, { config, database, counters })
  await app.register(serviceRoutes(database))

  const lastUse = recordLastUse(database.background, (error) =>
    app.log.warn({ err: error }, 'last use of tokens not written'),
  )
  const usage = countRequests(database.background, (error) =>
    app.log.warn({ err: error }, 'usage not written yet'),
  )
  app.addHook('onClose', async () => void (await Promise.all([lastUse.stop(), usage.stop()])))
  const authentication = authenticate(database, rateLimiter, ({ token_id, project_id }) => {
    lastUse.mark(token_id)
    usage.count(project_id)
  })
  const apiRoutes = allRoutes(database, memory)
  for (const prefix of ['/api', '/v2']) {
    await app.register(
      async (api) => {
        api.addHook('onRoute', apiRouteRules)
        api.addHook('onRequest', authentication)
        api.addHook('onRequest', refuseUncheckedCondition)
        api.addHook('onSend', tagAnswer)
        await api.register(apiRoutes)
      },
      { prefix },
    )
  }
  await app.register(consoleApi({ database, secret: config.authSecret, rateLimiter, apiRoutes }), {
    prefix: '/console',
  })
  await app.register(consolePages())
  return app
}

/** The API itself; who may call it is the business of where it is mounted. */
function allRoutes(database: Database, memory: MemoryBudget): FastifyPluginAsync {
  // Shared by all mounts.
  const readLargePage = largePageReader(memory.pages)
  const pushLimits = {
    admitBody: admitBodies(memory.bodies),
    atOnce: limitConcurrency(memory.pushes),
  }
  const longVersions = limitConcurrency(memory.versions)
  return async (api) => {
    await api.register(productListRoutes(database, readLargePage))
    await api.register(productRoutes(database))
    await api.register(productBySkuRoutes(database))
    await api.register(productBulkRoutes(database, pushLimits))
    await api.register(productExportRoutes(database))
    await api.register(productHistoryRoutes(database, readLargePage))
    await api.register(productInventoryRoutes(database))
    await api.register(categoryRoutes(database))
    await api.register(promptRoutes(database, readLargePage))
    await api.register(promptVersionRoutes(database, longVersions))
    await api.register(promptLabelRoutes(database))
    await api.register(projectRoutes)
  }
}
