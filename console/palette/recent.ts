import type { Entry } from './entries.ts'

/** What was chosen, as far as it can be shown again without asking for it. */
type Kept = { id: string; label: string; hint: string; href: string }

const mostKept = 5
const keyOf = (user: number, project: number) => `catalog-recent-${user}-${project}`

/** What the person chose last in the project, newest first: products as they were called then, anything else only where it is still there. */
export function recentEntries(user: number, project: number, there: readonly Entry[]): Entry[] {
  return readKept(user, project).flatMap(({ id, label, hint, href }) => {
    const known = there.find((entry) => entry.id === id)
    if (known !== undefined) return [known]
    return id.startsWith('product:') && href.startsWith(`/projects/${project}/products/`)
      ? [{ id, icon: 'tag', label, hint, href }]
      : []
  })
}

export function keepRecent(user: number, project: number, entry: Entry): void {
  const { id, label, hint = '' } = entry
  const href = 'href' in entry ? entry.href : ''
  const others = readKept(user, project).filter((one) => one.id !== id)
  try {
    const kept = [{ id, label, hint, href }, ...others].slice(0, mostKept)
    localStorage.setItem(keyOf(user, project), JSON.stringify(kept))
  } catch {
    // A browser that keeps nothing has no recent choices.
  }
}

/** What somebody else may have written there is taken as far as it has the right shape. */
function readKept(user: number, project: number): Kept[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(user, project)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isKept).slice(0, mostKept) : []
  } catch {
    return []
  }
}

function isKept(one: unknown): one is Kept {
  return (
    typeof one === 'object' &&
    one !== null &&
    ['id', 'label', 'hint', 'href'].every((name) => typeof (one as never)[name] === 'string')
  )
}
