import { counted, numberText } from '../parts/format/number-text.ts'

export const strings = {
  page: {
    lead: 'Fix the products that fail this rule, one by one.',
    left: (count: number) => `${numberText(count)} left`,
    skipped: (count: number) => `, ${numberText(count)} skipped`,
    list: 'View as list',
    readOnlyTitle: 'You have read-only access to this project',
    readOnlyText:
      'To fix products in a worklist, you need the editor role. Ask a manager of the project for it.',
    loading: 'Loading…',
  },
  end: {
    done: 'All done',
    title: 'End of the list',
    overview: 'Back to overview',
    doneText: 'All products in this list pass the rule.',
    skippedTitle: (count: number) => `You skipped ${counted(count, 'product')}`,
    again: 'Work through skipped products',
    skippedText: 'All other products pass the rule.',
    list: 'View the list',
  },
  choose: {
    title: 'Fix products one by one',
    lead: 'Select a rule to fix the products that fail it.',
    rules: 'Quality rules',
  },
  item: {
    fields: 'Fields to fix',
    saved: (sku: string) => `${sku} saved.`,
    notSaved: 'Your changes were not saved',
    stillFails: 'Saved, but the product still fails the rule',
  },
  bar: {
    label: 'Save or skip',
    hint: 'Fill in what the rule requires, or skip the product.',
    unsaved: 'Unsaved:',
    skip: 'Skip',
    save: 'Save and continue',
  },
  about: {
    title: 'About this product',
    type: 'Type',
    price: 'Price',
    categories: 'Categories',
    attributes: 'Attributes',
    shortDescription: 'Short description',
    description: 'Description',
    score: 'Score',
    scoreAndGrade: (score: number, grade: string) => `${score}, grade ${grade}`,
    none: 'None',
  },
}
