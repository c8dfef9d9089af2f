import { productDetail } from '../../../model/product/product.examples.ts'

const { sku, name, price, status, description, product_type, short_description } = productDetail
const { attributes, media, categories, created_at } = productDetail

const common = { changed_at: created_at, actor: 'API client', source: 'api' }

const creation = {
  version: 1,
  ...common,
  before: null,
  after: {
    ...{ sku, name, price, status },
    inventory: { tracked: true, quantity: 40, backorders: false, low_stock_threshold: 5 },
    ...{ attributes, parent: null, variant_axes: [], components: [], links: {} },
    ...{ media, categories, description, product_type, short_description },
  },
  provenance: {},
  proposal: null,
  score_before: null,
  score_after: 100,
}

const patch = {
  version: 2,
  ...common,
  before: { price, attributes },
  after: { price: 11.9, attributes: { color: 'white', material: 'stoneware' } },
  provenance: {},
  proposal: null,
  score_before: 100,
  score_after: 90,
}

/** Newest first. */
export const productChanges = [patch, creation]
