import { modKey } from '../parts/mod-key.ts'

type Key = {
  keys: string[]
  meaning: string
  /** Nothing for those who only read. */
  isWrite?: true
}

const key = (keys: string | string[], meaning: string): Key => ({ keys: [keys].flat(), meaning })
const writing = (keys: string | string[], meaning: string): Key => ({ ...key(keys, meaning), isWrite: true })
const search = key('/', 'Search')
const save = writing(modKey('S'), 'Save')

export const keysEverywhere: Key[] = [
  key(modKey('K'), 'Jump to a product, a view, a page or an action'),
  key('?', 'Show these keys'),
]

/** A page with keys of its own, or with a search, gets its entry here. */
const ofProject: Record<string, Key[]> = {
  '/products': [
    search,
    key(['j', 'k'], 'Next row, and the row before'),
    key('x', 'Select the row, or take it out'),
    key('Enter', 'Open the row'),
    writing('e', 'Edit what is selected'),
  ],
  '/products/new': [save],
  '/products/$productId': [key(['j', 'k'], 'Next product of the list, and the product before'), save],
  '/worklist': [
    writing(modKey('Enter'), 'Save and next'),
    writing(modKey('Shift+Enter'), 'Skip the product'),
  ],
  '/categories': [
    search,
    key(['↓', '↑'], 'Next category of the tree, and the category before'),
    key(['→', '←'], 'Open the category, and close it'),
    key('Enter', 'Show the category'),
    writing('F2', 'Rename the category'),
    writing('Delete', 'Delete the category'),
  ],
  '/proposals/$proposalId': [
    key(['j', 'k'], 'Next line, and the line before'),
    key('x', 'Select the line, or take it out'),
  ],
  '/prompts': [search],
  '/prompts/new': [save],
  '/prompts/$promptId': [save],
}

const searchedAdminPages = ['/projects', '/projects/$projectId', '/users', '/audit']

/** The keys of the page, by the id of its route. */
export function keysOfPage(route: string, isReader: boolean): Key[] {
  const adminPage = route.match(/^\/signed-in\/operator(\/.*)$/)?.[1]
  if (adminPage !== undefined) return searchedAdminPages.includes(adminPage) ? [search] : []
  const page = route.match(/^\/signed-in\/projects\/\$projectId(\/.*)$/)?.[1]
  const keys = ofProject[page ?? ''] ?? []
  return isReader ? keys.filter(({ isWrite }) => isWrite !== true) : keys
}
