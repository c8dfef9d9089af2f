import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { abortQueries } from '../../../platform/database/abort-queries.ts'
import type { Database } from '../../../platform/database/database.ts'
import { ref } from '../../../platform/http/openapi.ts'
import { disconnectSignal } from '../../../platform/http/response/client-disconnect.ts'
import type { Rulesets } from '../../rulesets/rulesets.ts'
import { prepareFilters } from '../prepare-filters.ts'
import { FacetQuerySchema, ProductFacetsSchema } from './product-facets.schema.ts'
import { countFacets } from './product-facets.sql.ts'

export function productFacetRoutes(database: Database, rulesets: Rulesets): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/products/facets',
      {
        config: { scope: 'products:read', problems: ['view_marking'], cached: 'list' },
        schema: {
          tags: ['Products'],
          operationId: 'countProductFacets',
          summary: 'Count products by attribute value',
          description:
            'For each attribute, returns its values and the exact number of matching products with each value, from one snapshot. It accepts the filters of the product list. A facet ignores the filters on its own attribute, so that other choices keep their counts. A product with several values counts once for each value.',
          querystring: FacetQuerySchema,
          response: { 200: ref(ProductFacetsSchema) },
        },
      },
      async ({ caller, query }, reply) => {
        const { facets, values = 20, ...given } = query
        const filters = await prepareFilters(database, rulesets, caller, given)
        const reader = abortQueries(database, disconnectSignal(reply))
        return countFacets(reader, caller.project_id, filters, { attributes: facets, maxValues: values })
      },
    )
  }
}
