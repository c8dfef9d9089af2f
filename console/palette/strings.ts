import { counted } from '../parts/format/number-text.ts'

export const strings = {
  label: 'Jump to',
  close: 'Close',
  results: 'Results',
  placeholder: 'SKU, product, view, page or action',
  placeholderNoProject: 'Project or page',
  empty: 'No results. Try other words, or part of the SKU.',
  hint: '↑ ↓ to select, Enter to open, Esc to close',
  status: {
    offline: 'You are offline. Product search is not available.',
    searching: 'Searching…',
    none: (text: string) => `No results for “${text}”`,
    count: (count: number) => counted(count, 'result'),
    failed: (reason: string) => `Product search failed. ${reason}`,
  },
  groups: {
    recent: 'Recent',
    actions: 'Actions',
    views: 'Views',
    pages: 'Pages',
    products: 'Products',
    projects: 'Projects',
  },
  hints: {
    admin: 'Admin',
    view: 'View',
    project: (plan: string) => `Project, ${plan} plan`,
  },
  /** `words`: other search terms for the entry. */
  entries: {
    keys: { label: 'Show keyboard shortcuts', words: 'keys help' },
    account: { label: 'Account', words: 'password sessions sign out' },
    reference: { label: 'API reference', words: 'documentation' },
    token: { label: 'New token', words: 'issue create key api' },
    agent: { label: 'Connect an agent', words: 'mcp ai claude cursor codex' },
    product: { label: 'New product', words: 'create add' },
    prompt: { label: 'New prompt', words: 'create add' },
    duplicates: { label: 'Duplicates', words: 'find same compare merge' },
  },
  exports: {
    columns: 'Export this view: CSV, visible columns',
    csv: 'Export this view: CSV, all fields',
    ndjson: 'Export this view: NDJSON, for applications',
    words: 'download',
  },
}
