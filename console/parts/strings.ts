import { numberText } from './format/number-text.ts'

export const strings = {
  notification: {
    undo: 'Undo',
    dismiss: 'Dismiss',
  },
  problem: {
    title: 'Something went wrong',
    request: (id: string) => `(request ${id})`,
    onlineTitle: 'You are online again',
    onlineText: 'Try your last action again.',
    retry: 'Try again',
    correctFields: 'Correct the highlighted fields.',
  },
  price: {
    regular: 'Regular price',
    sale: 'sale price',
  },
  page: {
    windowTitle: (title: string) => `${title} · Catalog Service`,
  },
  copy: {
    label: (what: string) => `Copy ${what}`,
    copied: 'Copied',
  },
  list: {
    clearSearch: 'Clear search',
    pages: 'Pages',
    range: (first: number, last: number, count: number) =>
      `${first}–${last} of ${count.toLocaleString('en')}`,
    previous: 'Previous',
    next: 'Next',
    noPageTitle: (page: number) => `Page ${numberText(page)} does not exist`,
    noPageText: 'The list has fewer pages. Start again from the first one.',
    firstPage: 'Go to the first page',
  },
  accessRequest: {
    open: 'Open',
    approved: 'Approved',
    declined: 'Declined',
  },
  token: {
    revoked: 'Revoked',
    expired: 'Expired',
    replaced: 'Replaced',
    new: 'Not shown yet',
    active: 'Active',
  },
  productStatus: {
    active: { label: 'Active', hint: 'for sale' },
    pending: { label: 'Pending', hint: 'in preparation' },
    inactive: { label: 'Inactive', hint: 'paused' },
    archived: { label: 'Archived', hint: 'no longer sold' },
  },
  leave: {
    title: 'Discard your changes?',
    text: 'Your changes are not saved. If you leave, they are lost.',
    leave: 'Discard changes',
    stay: 'Stay on this page',
  },
  dialog: {
    close: 'Close',
    discardTitle: 'Discard your changes?',
    discardText: 'Your changes are not saved. If you close the dialog, they are lost.',
    keepEditing: 'Keep editing',
    discard: 'Discard changes',
    cancel: 'Cancel',
  },
  secret: {
    stored: 'The service stores only a hash, so it can’t show the value again.',
    keep: 'Store it in a password manager or secret store.',
    copyNow: 'Copy it now: it is shown only once',
    done: 'I have stored it',
  },
  rotate: {
    now: '0 hours (stops working immediately)',
    hour: '1 hour',
    day: '24 hours',
    week: '7 days',
    overlap: (noun: string) => `Keep the old ${noun} valid for`,
    action: (noun: string) => `Rotate ${noun}`,
  },
  relativeTime: {
    now: 'just now',
    on: (day: string) => `on ${day}`,
  },
  rate: {
    none: 'No limit',
    limit: (perSecond: number, burst: number) =>
      `${perSecond.toLocaleString('en')} ${perSecond === 1 ? 'request' : 'requests'} per second, bursts of ${burst.toLocaleString('en')}`,
  },
  diff: {
    less: 'Show less',
    all: 'Show all',
    added: ' (added:) ',
    removed: ' (removed:) ',
  },
  links: {
    backTo: (list: string) => `Back to ${list}`,
    newProduct: 'New product',
    prompt: (id: number) => `prompt ${id}`,
  },
  noProducts: {
    title: 'No products yet',
    use: 'Add products with the',
    api: 'API',
    command: 'or the “catalog import” command, which also reads exports from other shop systems.',
    youCan: 'You can also',
    importFile: 'import a file',
    create: 'or create products one by one.',
  },
  loading: {
    short: 'Loading…',
    long: 'Loading… The service is responding more slowly than usual.',
    stale: 'This data may be out of date',
  },
  number: {
    invalid: 'Enter a number.',
    ambiguous: (typed: string, whole: string, decimal: string) =>
      `${typed} can mean ${whole} or ${decimal}. Enter ${whole} or ${decimal}0.`,
    readAs: (shown: string) => `Reads as ${shown}`,
  },
  saveBar: {
    label: 'Unsaved changes',
    unsaved: 'Unsaved:',
    more: (count: number) => ` and ${count} more`,
    discard: 'Discard changes',
  },
  password: {
    show: 'Show password',
    length: 'Use 10 to 128 characters.',
    different: 'The passwords do not match.',
    new: 'New password',
    hint: 'At least 10 characters',
    repeat: 'Repeat new password',
  },
  chart: {
    today: 'Today',
    table: 'Show as table',
    day: 'Day',
    notCounted: 'Not counted',
  },
  usage: {
    none: (days: number) =>
      `No requests in the last ${days} days. API requests appear here, counted per day.`,
    requests: 'Requests',
    caption: 'Requests per day',
    requestsWord: (count: number) => (count === 1 ? 'request' : 'requests'),
    inLastDays: (days: number) => `in the last ${days} days`,
    onDay: (day: string) => `on ${day}`,
  },
  progress: {
    of: (done: number, total: number) => `${numberText(done)} of ${numberText(total)}`,
  },
}
