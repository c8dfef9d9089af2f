import { counted, numberText } from '../parts/format/number-text.ts'

export const strings = {
  projects: {
    title: 'Projects',
    lead: 'All projects on this service, with plan and usage.',
    label: 'All projects',
    new: 'New project',
    search: 'Search by name or ID',
    order: 'Sort by',
    byName: 'Sort: Name',
    orders: {
      '-created_at': 'Sort: Newest first',
      '-requests_30_days': 'Sort: Most requests first',
      '-products': 'Sort: Most products first',
    },
    empty: 'No projects yet',
    emptyHint:
      'A project has its own products, prompts and tokens. Select “New project” to create the first one.',
    noMatch: 'No matching projects',
    noMatchHint: 'Try fewer search words.',
    columns: {
      project: 'Project',
      plan: 'Plan',
      apiAccess: 'API access',
      products: 'Products',
      requests: 'Requests (30 days)',
      created: 'Created',
    },
    on: 'On',
    off: 'Off',
  },
  createProject: {
    title: 'New project',
    submit: 'Create project',
    name: 'Name',
    nameMissing: 'Enter a project name.',
    plan: 'Plan',
    currency: 'Currency',
    currencyHint: 'The currency of all prices in the project',
    currencyInvalid: 'Enter a three-letter currency code, such as EUR.',
    done: (project: string) => `${project} created.`,
  },
  plans: {
    free: 'Free: API access off',
    pro: 'Pro: 100 requests per second',
    enterprise: 'Enterprise: 1,000 requests per second',
  },
  project: {
    unnamed: (id: number) => `Project ${id}`,
    lead: 'This project’s plan, limits, tokens and usage.',
    viewAsMember: 'View as member',
    summary: {
      title: 'Summary',
      apiAccess: 'API access',
      rateLimit: 'Rate limit',
      products: 'Products',
      currency: 'Currency',
      created: 'Created',
      id: 'Project ID',
    },
    usage: 'Requests per day',
  },
  settings: {
    title: 'Plan and limits',
    lead: 'Changes take effect immediately.',
    submit: 'Save changes',
    saved: 'Changes saved. They take effect immediately.',
    plan: 'Plan',
    apiAccess: 'API access',
    selfServiceTokens: 'Token creation by managers',
    access: { plan: 'Plan default', on: 'On', off: 'Off' },
    rateLimit: 'Rate limit',
    rateLimits: { plan: 'Plan default', none: 'No limit', own: 'Custom limit' },
    requestsPerSecond: 'Requests per second',
    requestsInvalid: 'Enter a whole number from 1 to 999,999.',
  },
  turnOff: {
    title: (project: string) => `Turn off API access for ${project}?`,
    action: 'Turn off API access',
    text: 'The API rejects all requests for this project immediately. Members can still use the console. Products do not change.',
    noTokens: 'The project has no active tokens.',
    tokens: (count: number) =>
      `${counted(count, 'token')} ${count === 1 ? 'stops' : 'stop'} working until you turn API access on again.`,
    noRequests: 'The API received no requests in the last 30 days.',
    requests: (count: number, recent: number, days: number) =>
      `The API received ${counted(count, 'request')} in the last 30 days, including ${numberText(recent)} in the last ${days} days.`,
  },
  tokens: {
    title: 'Tokens',
    lead: 'A revoked token loses access immediately.',
    new: 'New token',
    dialog: (project: string) => `New token for ${project}`,
    locked:
      'API access is off for this project. The token works only after you turn API access on under “Plan and limits”.',
    empty:
      'Select “New token”, or approve an access request from the project. An approval also creates a token.',
  },
}
