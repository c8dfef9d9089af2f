import { counted } from '../parts/format/number-text.ts'

export const strings = {
  title: 'Compare products',
  lead: 'Differences are highlighted. Copy a value to the other products to propose the change.',
  leadRead: 'Differences are highlighted.',
  products: 'Products',
  label: 'Comparison of products, scrollable',
  field: 'Field',
  onlyDifferences: 'Only differences',
  differences: (count: number) =>
    count === 0 ? 'No differences' : counted(count, 'difference', 'differences'),
  inherited: 'Inherited from parent',
  noDifferencesTitle: 'The products have the same values',
  noDifferencesText: 'Turn off “Only differences” to see all fields.',
  tooFewTitle: 'Select products to compare',
  tooFewText: 'Select 2 to 4 products in the product list, then select “Compare”.',
  openList: 'Open the product list',
  missing: (count: number) =>
    count === 1 ? 'One of the products does not exist.' : `${count} of the products do not exist.`,
  remove: (name: string) => `Remove ${name} from the comparison`,
  copy: (products: number) => (products === 2 ? 'Copy to the other' : 'Copy to the others'),
  undo: (label: string, sku: string) => `Undo the change of ${label} of ${sku}`,
  undoShort: 'Undo',
  newValue: 'Proposed:',
  propose: 'Propose changes',
  change: (label: string, sku: string) => `${label} of ${sku}`,
  proposalTitle: (skus: string[]) => `Copied values: ${skus.join(', ')}`,
  leaveTitle: 'Leave without proposing the changes?',
  leaveText: 'The copied values are lost.',
}
