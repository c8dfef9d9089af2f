import { numberText } from '../parts/format/number-text.ts'

export const strings = {
  page: {
    lead: (plan: string, currency: string) => `${plan} plan, prices in ${currency}.`,
  },
  counts: {
    title: 'Products by status',
    all: 'All products',
    allHint: 'in all statuses',
    link: (count: string, label: string) => `${count} ${label}`,
  },
  steps: {
    title: 'Try these first',
    hide: 'Hide these suggestions',
    review: 'Review a proposal',
    reviewText: (title: string) =>
      `“${title}” waits for a decision. Each line shows the changes and the score before and after.`,
    reviewAct: 'Review the proposal',
    fix: 'Work through a list',
    fixText: (rule: string) => `Fix the products that fail “${rule}”, one after another.`,
    fixAct: 'Fix one by one',
    prices: 'Raise prices, then undo the change',
    pricesText:
      'Raise all prices by 5%, rounded to an ending of 0.95. Review the proposal, apply it, and undo it.',
    pricesAct: 'Raise prices…',
  },
  markets: {
    title: 'Languages and markets',
    lead: 'Products with all required values, and what is missing.',
    complete: (complete: string, all: string) => `${complete} of ${all} complete`,
    missing: (field: string, count: string) => `${field}: ${count} missing`,
    outdated: (count: string) => `${count} outdated`,
    nothingRequired: 'No required fields',
    done: 'Complete and up to date',
    checking: 'The service is checking all products.',
    all: (count: number) => `View all ${numberText(count)} languages and markets`,
  },
  access: {
    title: 'API access',
    open: 'Go to API access',
    requested: 'Requested',
    requestedText: 'The operator will review your request.',
    off: 'Off',
    offText:
      'API access is off for this project. Go to “API access” to see what the API offers and to request it.',
    on: 'On',
    requests: (count: number) =>
      `${count.toLocaleString('en')} ${count === 1 ? 'request' : 'requests'} in the last 30 days.`,
    newToken: 'A new token is ready. Go to “API access” to view it.',
  },
  changes: {
    named: (name: string, sku: string) => `${name} (${sku})`,
    title: 'Latest changes',
    lead: 'The products that were updated most recently.',
  },
  quality: {
    grades: {
      a: 'A: 90 or higher',
      b: 'B: 75 to 89',
      c: 'C: 60 to 74',
      d: 'D: 40 to 59',
      e: 'E: below 40',
    },
    types: {
      simple: 'Simple',
      configurable: 'Configurable',
      virtual: 'Virtual',
      bundle: 'Bundle',
      grouped: 'Grouped',
    },
    scores: 'Quality scores',
    failedRules: 'Most frequently failed rules',
    duplicates: 'Find duplicates',
    typesTitle: 'Product types',
    noFailedRules: 'All checked products pass all rules.',
  },
  stock: {
    title: 'Stock',
    out: 'Out of stock',
    low: 'Low: at or below the threshold',
    noneLow: 'No product is at or below its threshold.',
    lowList: 'Products with low stock',
    product: (name: string, sku: string) => `${name}, ${sku}`,
    allLow: 'View all products with low stock',
  },
  activity: {
    title: 'Activity',
    lead: 'Products by the day they were created and the day they were last updated. Days are in UTC.',
    created: 'Created',
    updated: 'Updated',
    caption: 'Products created and updated per day',
    notCounted: (most: number, day: string) =>
      `The chart counts at most ${numberText(most)} updated products, so ${day} and earlier days are not counted.`,
    createdAnd: 'created,',
    updatedWord: 'updated',
    inLastDays: (days: number) => `in the last ${days} days`,
    onDay: (day: string) => `on ${day}`,
  },
  people: {
    title: 'People',
    lead: 'Saves, uploads, proposals and other changes in the last 30 days, by user and token.',
    empty: 'No changes yet',
    emptyHint: 'Changes of the last 30 days appear here within seconds.',
    api: (token: string) => `API: ${token}`,
    columns: { who: 'Who', actions: 'Changes', last: 'Last change' },
  },
  bars: {
    fix: 'Fix one by one',
    loading: 'Loading…',
  },
}
