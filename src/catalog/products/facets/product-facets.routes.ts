import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { untilAborted } from '../../../platform/database/abort-queries.ts'
import type { Database } from '../../../platform/database/database.ts'
import { ref } from '../../../platform/http/openapi.ts'
import { clientLeft } from '../../../platform/http/response/client-disconnect.ts'
import type { Rulesets } from '../../rulesets/rulesets.ts'
import { prepareFilters } from '../prepare-filters.ts'
import { FacetQuerySchema, ProductFacetsSchema } from './product-facets.schema.ts'
import { countFacets } from './product-facets.sql.ts'

export function productFacetRoutes(database: Database, rulesets: Rulesets): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/products/facets',
      {
        config: { scope: 'products:read' },
        schema: {
          tags: ['Products'],
          operationId: 'countProductFacets',
          summary: 'Count products by the values of attributes',
          description:
            'For each attribute its values and how many of the products that match the filters of the list have them, exactly and of one moment. A facet ignores the filters of its own attribute, so that other choices keep their counts; all other filters hold. A product with several values counts once for each of them.',
          querystring: FacetQuerySchema,
          response: { 200: ref(ProductFacetsSchema) },
        },
      },
      async ({ caller, query }, reply) => {
        const { facets, values = 20, ...given } = query
        const filters = await prepareFilters(database, rulesets, caller, given)
        const reader = untilAborted(database, clientLeft(reply))
        return countFacets(reader, caller.project_id, filters, { attributes: facets, mostValues: values })
      },
    )
  }
}
