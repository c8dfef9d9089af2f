import { ActionIcon, Anchor, Tooltip } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Icon } from '../parts/icons.tsx'
import { useKeys } from '../parts/use-keys.ts'
import { parseSearch, stringifySearch } from '../plain-search.ts'
import styles from './list-navigation.module.css'
import { type Neighbors, useNeighbors } from './neighbors.ts'
import { countText } from './numbers.ts'
import { useFollow } from './product-link.tsx'
import { strings } from './strings.ts'

type Props = { project: number; from: string | undefined; id?: number; market?: string | undefined }

/** Links back to the list and to the next and previous product, in the list's order and with its filters. */
export function ListNavigation({ project, from, id, market }: Props) {
  const follow = useFollow()
  const search = listSearch(from, market)
  const list = `/projects/${project}/products${search === '' ? '' : `?${search}`}`
  return (
    <nav aria-label={strings.page.products} className={styles.navigation}>
      <Anchor {...follow(list)} className={styles.back ?? ''}>
        <Icon name="arrowLeft" size={16} /> {strings.page.backToProducts}
      </Anchor>
      {id !== undefined && from !== undefined && (
        <NeighborButtons project={project} id={id} from={from} market={market} />
      )}
    </nav>
  )
}

/** The list in the current language or market. */
function listSearch(from = '', market: string | undefined): string {
  const { market: _before, ...search } = parseSearch(from)
  return stringifySearch({ ...search, market }).slice(1)
}

type NeighborProps = { project: number; id: number; from: string; market: string | undefined }

function NeighborButtons({ project, id, from, market }: NeighborProps) {
  const navigate = useNavigate()
  const neighbors = useNeighbors(project, id, from)
  const go = (neighbor: Neighbors['next']) =>
    neighbor &&
    void navigate({
      to: '/projects/$projectId/products/$productId',
      params: { projectId: project, productId: neighbor.id },
      search: { from: neighbor.from, market },
    })
  useKeys({ j: () => go(neighbors?.next), k: () => go(neighbors?.previous) })
  return (
    <div className={styles.neighbors}>
      {neighbors !== undefined && (
        <span className="tabular">
          {strings.page.position(countText(neighbors.place), countText(neighbors.count))}
        </span>
      )}
      {(['previous', 'next'] as const).map((side) => (
        <Tooltip key={side} label={side === 'next' ? strings.page.nextTip : strings.page.previousTip}>
          <ActionIcon
            variant="default"
            size={32}
            aria-label={side === 'next' ? strings.page.next : strings.page.previous}
            disabled={neighbors?.[side] === undefined}
            onClick={() => go(neighbors?.[side])}
          >
            <Icon name={side === 'next' ? 'arrowRight' : 'arrowLeft'} size={16} />
          </ActionIcon>
        </Tooltip>
      ))}
    </div>
  )
}
