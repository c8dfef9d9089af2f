import { ActionIcon, Anchor, Tooltip } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Icon } from '../parts/icons.tsx'
import { useKeys } from '../parts/use-keys.ts'
import { type Neighbours, useNeighbours } from './neighbours.ts'
import { countText } from './numbers.ts'
import { useFollow } from './product-link.tsx'
import { strings } from './strings.ts'
import styles from './way.module.css'

type Props = { project: number; from: string | undefined; id?: number }

/** Back to the list, and through it: one by one, in its order and with its filters. */
export function Way({ project, from, id }: Props) {
  const follow = useFollow()
  const list = `/projects/${project}/products${from ? `?${from}` : ''}`
  return (
    <nav aria-label={strings.page.products} className={styles.way}>
      <Anchor {...follow(list)} className={styles.back ?? ''}>
        <Icon name="arrowLeft" size={16} /> {strings.page.backToProducts}
      </Anchor>
      {id !== undefined && from !== undefined && <Walk project={project} id={id} from={from} />}
    </nav>
  )
}

function Walk({ project, id, from }: { project: number; id: number; from: string }) {
  const navigate = useNavigate()
  const neighbours = useNeighbours(project, id, from)
  const go = (neighbour: Neighbours['next']) =>
    neighbour &&
    void navigate({
      to: '/projects/$projectId/products/$productId',
      params: { projectId: project, productId: neighbour.id },
      search: { from: neighbour.from },
    })
  useKeys({ j: () => go(neighbours?.next), k: () => go(neighbours?.previous) })
  return (
    <div className={styles.walk}>
      {neighbours !== undefined && (
        <span className="tabular">
          {strings.page.position(countText(neighbours.place), countText(neighbours.count))}
        </span>
      )}
      {(['previous', 'next'] as const).map((side) => (
        <Tooltip key={side} label={side === 'next' ? strings.page.nextTip : strings.page.previousTip}>
          <ActionIcon
            variant="default"
            size={32}
            aria-label={side === 'next' ? strings.page.next : strings.page.previous}
            disabled={neighbours?.[side] === undefined}
            onClick={() => go(neighbours?.[side])}
          >
            <Icon name={side === 'next' ? 'arrowRight' : 'arrowLeft'} size={16} />
          </ActionIcon>
        </Tooltip>
      ))}
    </div>
  )
}
