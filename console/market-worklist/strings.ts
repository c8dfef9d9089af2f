import { counted } from '../parts/format/number-text.ts'

export const strings = {
  title: (market: string) => `Worklist for ${market}`,
  lead: 'Fill in missing values and check values whose source changed, product by product.',
  tabs: {
    label: 'Products',
    missing: 'Missing values',
    outdated: 'Outdated values',
  },
  list: 'View as list',
  fields: {
    missing: 'Missing values',
    outdated: 'Outdated values',
  },
  nothing: 'Nothing is missing here. Skip this product.',
  saved: (sku: string) => `${sku} saved.`,
  notSaved: 'Your changes were not saved',
  readOnlyText: 'To translate products, you need the editor role. Ask a manager of the project for it.',
  hint: 'Fill in the fields, or skip the product.',
  end: {
    done: 'All done',
    noneMissing: (market: string) => `No product lacks a required value in ${market}.`,
    noneOutdated: (market: string) => `No value in ${market} is outdated.`,
    outdatedToo: 'Check outdated values',
    overview: 'Back to overview',
    skippedTitle: (count: number) => `You skipped ${counted(count, 'product')}`,
    skippedText: 'All other products are complete.',
    again: 'Work through skipped products',
  },
  notRequired:
    'No field is required here, so nothing can be missing. A manager can select required fields under “Languages and markets”.',
  unknownTitle: 'This language or market does not exist',
  unknownText: 'It may have been deleted since the link was created.',
  markets: 'All languages and markets',
  checkingTitle: 'The service is checking all products',
  checking: (done: string, total: string) =>
    `${done} of ${total} products are checked. The worklist opens when all are.`,
}
