import { counted } from '../parts/format/number-text.ts'

export const strings = {
  title: 'Duplicates',
  lead: 'Products that are probably the same. Compare them, then archive the one that you don’t need.',
  leadRead: 'Products that are probably the same.',
  groups: 'Groups of duplicates',
  count: (count: number) => counted(count, 'group', 'groups'),
  filter: 'Reason',
  all: 'All reasons',
  reasons: { same_gtin: 'Same GTIN', same_name: 'Same name', close_name: 'Similar name' },
  products: 'Products',
  noneTitle: 'No duplicates found',
  noneText: 'No products have the same GTIN, the same name or a similar name.',
  noneOfReason: 'No products are duplicates for this reason.',
  showAll: 'Show all reasons',
  incomplete:
    'There can be further duplicates. In large projects, the list covers the products that changed last.',
  more: (count: number) => `and ${counted(count, 'more product', 'more products')}`,
  compare: 'Compare',
  compareGroup: (value: string) => `Compare the products of ${value}`,
  archive: 'Archive',
  archiveProduct: (sku: string) => `Archive ${sku}`,
  archived: (sku: string) => `${sku} is archived.`,
  restored: (sku: string) => `${sku} is no longer archived.`,
  noPrice: 'No price',
}
