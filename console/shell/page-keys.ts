import { modKey } from '../parts/mod-key.ts'
import { strings } from './strings.ts'

type Key = {
  keys: string[]
  meaning: string
  /** Not available to viewers. */
  isWrite?: true
}

const key = (keys: string | string[], meaning: string): Key => ({ keys: [keys].flat(), meaning })
const writing = (keys: string | string[], meaning: string): Key => ({ ...key(keys, meaning), isWrite: true })
const search = key('/', strings.keys.search)
const save = writing(modKey('S'), strings.keys.save)

const media = [
  writing(['Shift+←', 'Shift+→'], strings.keys.moveMedia),
  writing('Delete', strings.keys.removeMedia),
]

export const keysEverywhere: Key[] = [key(modKey('K'), strings.keys.jump), key('?', strings.keys.show)]

/** New pages with shortcuts or a search are added here. */
const ofProject: Record<string, Key[]> = {
  '/products': [
    search,
    key(['j', 'k'], strings.keys.nextRow),
    key('x', strings.keys.selectRow),
    key('Enter', strings.keys.openRow),
    writing('e', strings.keys.editSelection),
    writing('i', strings.keys.editInList),
    writing(['Enter', 'F2'], strings.keys.editCell),
    writing([modKey('C'), modKey('V')], strings.keys.copyCells),
    writing(modKey('D'), strings.keys.fillDown),
    writing([modKey('Z'), modKey('Y')], strings.keys.undoEdit),
    writing(modKey('S'), strings.keys.saveCells),
    key('c', strings.keys.compareSelection),
  ],
  '/products/new': [save, ...media],
  '/products/$productId': [key(['j', 'k'], strings.keys.nextProduct), save, ...media],
  '/compare': [writing(modKey('S'), strings.keys.proposeCopies)],
  '/worklist': [
    writing(modKey('Enter'), strings.keys.saveAndNext),
    writing(modKey('Shift+Enter'), strings.keys.skip),
  ],
  '/categories': [
    search,
    key(['↓', '↑'], strings.keys.nextCategory),
    key(['→', '←'], strings.keys.openCategory),
    key('Enter', strings.keys.showCategory),
    writing('F2', strings.keys.renameCategory),
    writing('Delete', strings.keys.deleteCategory),
  ],
  '/proposals/$proposalId': [
    writing('a', strings.keys.acceptLine),
    writing('e', strings.keys.editLine),
    writing('r', strings.keys.rejectLine),
    writing(['→', '←'], strings.keys.reviewNext),
    key(['j', 'k'], strings.keys.nextLine),
    key('x', strings.keys.selectLine),
  ],
  '/prompts': [search],
  '/prompts/new': [save],
  '/prompts/$promptId': [save],
}

const searchedAdminPages = ['/projects', '/projects/$projectId', '/users', '/audit']

/** The shortcuts of a page, by route ID. */
export function keysOfPage(route: string, isViewer: boolean): Key[] {
  const adminPage = route.match(/^\/signed-in\/operator(\/.*)$/)?.[1]
  if (adminPage !== undefined) return searchedAdminPages.includes(adminPage) ? [search] : []
  const page = route.match(/^\/signed-in\/projects\/\$projectId(\/.*)$/)?.[1]
  const keys = ofProject[page ?? ''] ?? []
  return isViewer ? keys.filter(({ isWrite }) => isWrite !== true) : keys
}
