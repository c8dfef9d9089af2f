import { Button, CloseButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMarkets } from '../../markets/use-markets.ts'
import { Icon } from '../../parts/icons.tsx'
import { usePermissions } from '../../parts/permissions.ts'
import { filterLabel } from '../filter-labels.ts'
import { marketFilterLabel } from '../market/filter-labels.ts'
import styles from '../products.module.css'
import { categoryQuery, promptChoiceQuery } from '../queries.ts'
import { strings } from '../strings.ts'
import type { ViewState } from '../use-view.ts'
import type { View } from '../view.ts'
import { categoryPath } from './category-select.tsx'

/** All filters of the view, each with a remove button. */
export function FilterChips({ project, view, change, clear }: ViewState) {
  // The search box shows the search. A chip would move the layout while the user types.
  const filters = view.filters.filter(([name]) => name !== 'search')
  const { canWrite } = usePermissions()
  const work = marketWork(view)
  if (filters.length === 0) return null
  return (
    <div className={styles.chips}>
      <ul aria-label={strings.filter.list}>
        {filters.map(([name, value]) => (
          <Chip
            key={name}
            project={project}
            name={name}
            value={value}
            remove={() => change(withoutFilter(name))}
          />
        ))}
      </ul>
      <Button variant="subtle" size="compact-sm" onClick={clear}>
        {strings.filter.clearAll}
      </Button>
      {work !== undefined && canWrite && (
        <Button
          component={Link}
          to="/projects/$projectId/markets/$market/worklist"
          params={{ projectId: project, market: work.market } as never}
          search={work.search as never}
          variant="light"
          size="compact-sm"
          rightSection={<Icon name="chevron" size={12} />}
        >
          {strings.filter.worklist}
        </Button>
      )}
      {view.filters.some(([name]) => name === 'quality_rule') && canWrite && (
        <Button
          component={Link}
          to="/projects/$projectId/worklist"
          params={{ projectId: project } as never}
          search={workSearch(view) as never}
          variant="light"
          size="compact-sm"
          rightSection={<Icon name="chevron" size={12} />}
        >
          {strings.filter.worklist}
        </Button>
      )}
    </div>
  )
}

/** The worklist with the same products in the same order. */
function workSearch({ filters, order }: View): Record<string, string> {
  return { ...Object.fromEntries(filters), ...(order !== '' && { ordering: order }) }
}

/** The worklist of the language or market that the filters are about. */
function marketWork({ filters }: View): { market: string; search: Record<string, string> } | undefined {
  const found = filters.find(([name]) => name === 'missing_in' || name === 'stale_in')
  if (found === undefined) return undefined
  const [name, value] = found
  const others = filters.filter(([other]) => other !== name)
  return {
    market: value.split('.', 1)[0] ?? value,
    search: { ...Object.fromEntries(others), ...(name === 'stale_in' && { only: 'outdated' }) },
  }
}

/** A prompt version has no meaning without the prompt. */
function withoutFilter(name: string): Record<string, undefined> {
  return name === 'written_by_prompt'
    ? { written_by_prompt: undefined, written_by_version: undefined, written_by_version__lt: undefined }
    : { [name]: undefined }
}

type ChipProps = { project: number; name: string; value: string; remove: () => void }

function Chip({ project, name, value, remove }: ChipProps) {
  const words = useFilterLabel(project, name, value)
  return (
    <li className={styles.chip}>
      <bdi title={words}>{words}</bdi>
      <CloseButton size="xs" aria-label={strings.filter.remove(words)} onClick={remove} />
    </li>
  )
}

/** Reads the name of a category or prompt by its ID. */
function useFilterLabel(project: number, name: string, value: string): string {
  const isId = /^[1-9]\d{0,14}$/.test(value)
  const isCategory = isId && (name === 'category' || name === 'category__under')
  const isPrompt = isId && name === 'written_by_prompt'
  const { markets } = useMarkets()
  const { data: category } = useQuery({ ...categoryQuery(project, value), enabled: isCategory })
  const { data: prompt } = useQuery({ ...promptChoiceQuery(project, value), enabled: isPrompt })
  if (isCategory) {
    const path = category ? categoryPath(category) : value
    return name === 'category' ? strings.filter.onlyCategory(path) : strings.filter.category(path)
  }
  const inMarket = marketFilterLabel(name, value, markets)
  if (inMarket !== undefined) return inMarket
  return isPrompt
    ? strings.filter.writtenBy(prompt?.name ?? strings.filter.prompt(value))
    : filterLabel(name, value)
}
