import type { Entry } from './entries.ts'

/** What is needed to show a choice again without a request. */
type Stored = { id: string; label: string; hint: string; href: string }

const maxStored = 5
const keyOf = (user: number, project: number) => `catalog-recent-${user}-${project}`

/** The user's last choices in the project, newest first. Except for products, only entries that still exist. */
export function recentEntries(user: number, project: number, existing: readonly Entry[]): Entry[] {
  return readStored(user, project).flatMap(({ id, label, hint, href }) => {
    const known = existing.find((entry) => entry.id === id)
    if (known !== undefined) return [known]
    return id.startsWith('product:') && href.startsWith(`/projects/${project}/products/`)
      ? [{ id, icon: 'tag', label, hint, href }]
      : []
  })
}

export function storeRecent(user: number, project: number, entry: Entry): void {
  const { id, label, hint = '' } = entry
  const href = 'href' in entry ? entry.href : ''
  const others = readStored(user, project).filter((one) => one.id !== id)
  try {
    const stored = [{ id, label, hint, href }, ...others].slice(0, maxStored)
    localStorage.setItem(keyOf(user, project), JSON.stringify(stored))
  } catch {
    // Without storage, there are no recent choices.
  }
}

/** Ignores stored values of another shape. */
function readStored(user: number, project: number): Stored[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(user, project)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isStored).slice(0, maxStored) : []
  } catch {
    return []
  }
}

function isStored(one: unknown): one is Stored {
  return (
    typeof one === 'object' &&
    one !== null &&
    ['id', 'label', 'hint', 'href'].every((name) => typeof (one as never)[name] === 'string')
  )
}
