import { ActionIcon, Skeleton, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { numberText } from '../parts/format/number-text.ts'
import { Icon, type IconName } from '../parts/icons.tsx'
import type { SavedView } from '../wire.ts'
import { viewCountQuery } from './queries.ts'
import styles from './saved-views.module.css'
import { strings } from './strings.ts'
import type { ViewDialog } from './view-dialogs.tsx'
import { searchOf, viewFilter } from './view-search.ts'

type Props = {
  project: number
  views: readonly SavedView[]
  current: SavedView | undefined
  open: (dialog: ViewDialog) => void
  close: () => void
}

/** All views by name, with their product counts. */
export function ViewList({ project, views, current, open, close }: Props) {
  const sorted = views.toSorted((one, other) => one.name.localeCompare(other.name))
  return (
    <ul className={styles.views} aria-label={strings.list.label}>
      <li data-current={current === undefined || undefined}>
        <Link
          to="/projects/$projectId/products"
          params={{ projectId: project }}
          search={{}}
          onClick={close}
          className={styles.view ?? ''}
        >
          <span>{strings.list.allProducts}</span>
          <Count project={project} filter="" />
        </Link>
      </li>
      {sorted.map((view) => (
        <li key={view.id} data-current={view.id === current?.id || undefined}>
          <Link
            to="/projects/$projectId/products"
            params={{ projectId: project }}
            search={searchOf(view)}
            onClick={close}
            className={styles.view ?? ''}
            aria-current={view.id === current?.id ? 'true' : undefined}
          >
            <bdi title={view.name}>{view.name}</bdi>
            {view.shared && (
              <span className={styles.shared} title={strings.list.sharedBy(view.owner)}>
                {strings.list.shared}
              </span>
            )}
            <Count project={project} filter={viewFilter(view)} />
          </Link>
          {view.can_change && <RowActions view={view} open={open} />}
        </li>
      ))}
    </ul>
  )
}

function RowActions({ view, open }: { view: SavedView; open: Props['open'] }) {
  return (
    <>
      <RowAction
        icon="pencil"
        label={strings.list.edit(view.name)}
        run={() => open({ action: 'edit', view })}
      />
      <RowAction
        icon="cross"
        label={strings.list.delete(view.name)}
        run={() => open({ action: 'delete', view })}
      />
    </>
  )
}

function Count({ project, filter }: { project: number; filter: string }) {
  const { data, error } = useQuery(viewCountQuery(project, filter))
  if (data !== undefined)
    return (
      <span className="tabular">
        {numberText(data)}
        <span className="unseen"> {strings.list.productsWord(data)}</span>
      </span>
    )
  if (error !== null)
    return (
      <span title={error.message}>
        {strings.list.none}
        <span className="unseen">{strings.list.countFailed(error.message)}</span>
      </span>
    )
  return <Skeleton width={32} height={12} className={styles.toCome ?? ''} />
}

function RowAction({ icon, label, run }: { icon: IconName; label: string; run: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size={32} aria-label={label} onClick={run}>
        <Icon name={icon} size={14} />
      </ActionIcon>
    </Tooltip>
  )
}
