export const strings = {
  menu: {
    label: 'Saved views',
    update: 'Update view',
    button: 'Views',
    current: 'View:',
    changed: '(changed)',
    none: 'No saved views yet. Filter, sort and select columns, then save the view. Only you can see your views.',
    save: 'Save view…',
  },
  list: {
    label: 'Views',
    allProducts: 'All products',
    rename: (name: string) => `Rename ${name}`,
    delete: (name: string) => `Delete ${name}`,
    productsWord: (count: number) => (count === 1 ? 'product' : 'products'),
    none: '–',
    countFailed: (reason: string) => `Count not available: ${reason}`,
  },
  save: {
    title: 'Save view',
    action: 'Save view',
    hint: 'Saves the filters, sort order and columns. Only you can see this view.',
    name: 'Name',
    updated: (name: string) => `View “${name}” updated.`,
  },
  rename: {
    title: 'Rename view',
    action: 'Rename view',
  },
  delete: {
    title: 'Delete view?',
    action: 'Delete view',
    text: 'will be deleted. Its products do not change.',
    deleted: (name: string) => `View “${name}” deleted.`,
  },
}
