import type { FastifyPluginAsync } from 'fastify'
import { projectRoutes } from './access/projects/project.routes.ts'
import { aiProviderRoutes } from './catalog/ai-providers/ai-provider.routes.ts'
import { assetRoutes } from './catalog/assets/asset.routes.ts'
import { assetFetchRoutes } from './catalog/assets/asset-fetch.routes.ts'
import { assetUploadRoutes } from './catalog/assets/asset-upload.routes.ts'
import { attributeDefinitionRoutes } from './catalog/attributes/attribute-definition.routes.ts'
import { attributePreviewRoutes } from './catalog/attributes/attribute-preview.routes.ts'
import { attributeSuggestionRoutes } from './catalog/attributes/attribute-suggestion.routes.ts'
import { categoryRoutes } from './catalog/categories/category.routes.ts'
import { productInventoryRoutes } from './catalog/inventory/product-inventory.routes.ts'
import { productDuplicateRoutes } from './catalog/products/duplicates/product-duplicates.routes.ts'
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
import { lineEditRoutes } from './catalog/proposals/line-edits/line-edit.routes.ts'
import { proposalRoutes } from './catalog/proposals/proposal.routes.ts'
import { proposalCreateRoutes } from './catalog/proposals/proposal-create.routes.ts'
import { proposalDecisionRoutes } from './catalog/proposals/proposal-decision.routes.ts'
import { proposalRevertRoutes } from './catalog/proposals/revert/proposal-revert.routes.ts'
import { pushRoutes } from './catalog/push/push.routes.ts'
import { qualityRulesRoutes } from './catalog/quality/quality-rules.routes.ts'
import { promptRenderRoutes } from './catalog/rendering/prompt-render.routes.ts'
import { runRoutes } from './catalog/runs/run.routes.ts'
import { runCreateRoutes } from './catalog/runs/run-create.routes.ts'
import { viewRoutes } from './catalog/views/view.routes.ts'
import { eventRoutes } from './delivery/events/events.routes.ts'
import { webhookRoutes } from './delivery/webhooks/webhook.routes.ts'
import { webhookActionRoutes } from './delivery/webhooks/webhook-action.routes.ts'
import { webhookLogRoutes } from './delivery/webhooks/webhook-log.routes.ts'
import { addRoutes, isolateRoutes } from './platform/http/add-routes.ts'
import type { Runtime } from './runtime.ts'

/** The API routes. The place where they are mounted decides who can call them. */
export function apiRoutes({
  database,
  products,
  adjustStock,
  rulesets,
  pushes,
  sharePage,
  largeProjects,
  sharedPages,
  readLargePage,
  longVersions,
  expensiveReads,
  webhooks,
  models,
  aiAllow,
  watch,
  readFeed,
  memory,
  assets,
  runSecret,
}: Runtime): FastifyPluginAsync {
  return async (api) => {
    await addRoutes(
      api,
      productListRoutes(database, { rulesets, largeProjects, sharedPages, readLargePage, sharePage }),
      productRoutes(database, products, rulesets),
      productBySkuRoutes(database, rulesets),
      isolateRoutes(pushRoutes(database, rulesets, pushes)),
      productFacetRoutes(database, rulesets),
      productDuplicateRoutes(database, expensiveReads),
      productExportRoutes(database, rulesets),
      productHistoryRoutes(database, readLargePage),
      productRevertRoutes(database, products, rulesets),
      productInventoryRoutes(database, adjustStock),
      qualityRulesRoutes(database, rulesets, expensiveReads),
      categoryRoutes(database),
      categoryMergeRoutes(database, rulesets),
      attributeDefinitionRoutes(database, rulesets),
      viewRoutes(database, rulesets),
      attributeSuggestionRoutes(database, rulesets, expensiveReads),
      attributePreviewRoutes(database, expensiveReads),
      assetRoutes(assets),
      isolateRoutes(assetUploadRoutes(assets)),
      assetFetchRoutes(assets),
      promptRoutes(database, readLargePage),
      promptVersionRoutes(database, longVersions),
      promptRenderRoutes(database),
      promptLabelRoutes(database),
      isolateRoutes(proposalCreateRoutes(database, rulesets, pushes)),
      proposalEditsRoutes(database, rulesets),
      proposalRevertRoutes(database),
      lineEditRoutes(database, rulesets),
      proposalRoutes(database, readLargePage),
      proposalDecisionRoutes(database, rulesets, pushes.atOnce),
      promptOutcomeRoutes(database),
      runCreateRoutes(
        database,
        { database, cipher: webhooks.cipher, rulesets, secret: runSecret },
        expensiveReads,
      ),
      runRoutes(database, readLargePage),
      webhookRoutes(database, webhooks.cipher, webhooks.sender.rules),
      webhookActionRoutes(database, webhooks.cipher, webhooks.sender),
      webhookLogRoutes(database),
      aiProviderRoutes(database, { cipher: webhooks.cipher, allow: aiAllow }, models),
      projectRoutes,
      eventRoutes({ database, watch, readFeed }, memory.events),
    )
  }
}
