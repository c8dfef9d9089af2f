import { counted, numberText } from '../parts/format/number-text.ts'

export const strings = {
  page: {
    title: 'Categories',
    lead: 'Categories group your products. A category can have subcategories, up to ten levels deep.',
    search: 'Search categories',
    new: 'New category',
    results: 'Search results',
  },
  move: {
    undone: (name: string) => `${name} moved back.`,
    movedToTop: (name: string) => `${name} moved to the top level.`,
    movedBelow: (name: string, parent: string) => `${name} is now a subcategory of ${parent}.`,
    title: (name: string) => `Move ${name}`,
    action: 'Move category',
    parent: 'Parent category',
    parentHint: 'Subcategories move too. Leave empty to move the category to the top level.',
  },
  found: {
    label: 'Categories found',
    noneTitle: 'No matching categories',
    noneText: (search: string) => `No category name contains “${search}”. Try another search.`,
    columns: {
      category: 'Category',
      products: 'Products',
    },
  },
  tree: {
    title: 'All categories',
    noneTitle: 'No categories yet',
    noneForEditors: 'Select “New category”, or add a new category to a product.',
    noneForViewers: 'Editors of this project can create categories here or in a product.',
    hint: 'Drag a category onto another category to move it. Keyboard: arrow keys to navigate, Enter to show the category, F2 to rename, Delete to delete.',
    dropAtTop: 'Drop here to move to the top level.',
    loadingCount: '…',
    topLevel: (count: number) => counted(count, 'top-level category', 'top-level categories'),
    label: 'Categories',
    loading: 'Loading…',
    products: (count: number) => counted(count, 'product'),
    sum: (count: number) => `${counted(count, 'product')}, including subcategories`,
    productsWord: (count: number) => (count === 1 ? 'product' : 'products'),
  },
  panel: {
    title: 'Category',
    noneTitle: 'No category selected',
    noneForEditors: 'Select a category to view or change it.',
    noneForViewers: 'Select a category to view it.',
    missingTitle: 'Category not found',
    missingText: 'It was deleted or merged into another category. Select another one.',
    facts: {
      products: 'Products',
      productsUnder: 'Including subcategories',
      subcategories: 'Subcategories',
      position: 'Position',
      loading: '…',
      unknown: 'Not available',
    },
    products: (count: number) => counted(count, 'product'),
    subcategories: (count: number) => counted(count, 'subcategory', 'subcategories'),
    edit: 'Edit',
    move: 'Move to…',
    create: 'New subcategory',
    merge: 'Merge into…',
    delete: 'Delete',
    notEmpty: (content: string[]) =>
      `You can delete only empty categories. This one has ${content.join(' and ')}. Merge it into another category instead.`,
  },
  delete: {
    title: (name: string) => `Delete ${name}?`,
    action: 'Delete category',
    deleted: (name: string) => `${name} deleted.`,
    text: 'This category has no products and no subcategories. You can’t undo this.',
  },
  create: {
    title: 'New category',
    titleBelow: (parent: string) => `New subcategory of ${parent}`,
    action: 'Create category',
    created: (name: string) => `${name} created.`,
  },
  edit: {
    title: (name: string) => `Edit ${name}`,
    action: 'Save changes',
    saved: (name: string) => `${name} saved.`,
  },
  fields: {
    name: 'Name',
    position: 'Position',
    positionHint:
      'Order among sibling categories. Lower numbers come first. Equal numbers are sorted by name.',
  },
  merge: {
    missing: 'Select the category to merge into.',
    title: (name: string) => `Merge ${name} into another category`,
    action: 'Merge categories',
    merged: (name: string, products: number) => `${name} merged. ${counted(products, 'product')} moved.`,
    into: 'Merge into',
    products: (count: number, into: string | undefined) =>
      `${counted(count, 'product moves', 'products move')} to ${into ?? 'the other category'}.${count === 0 ? '' : ` ${count === 1 ? 'It' : 'Each'} gets a new version.`}`,
    subcategories: (count: number) => `${counted(count, 'subcategory moves', 'subcategories move')} too.`,
    deleted: (name: string, isUndoable: boolean) =>
      `Then ${name} is deleted.${isUndoable ? '' : ' You can’t undo this.'}`,
    undone: (name: string, restored: number, products: number) =>
      restored === products
        ? `${name} restored with ${counted(products, 'product')}.`
        : `${name} restored with ${numberText(restored)} of ${counted(products, 'product')}. The others changed after the merge.`,
  },
}
