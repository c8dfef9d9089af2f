import { ActionIcon, Button, Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { fieldLabel } from '../../src/model/fields/field-paths.ts'
import { numberText } from '../parts/format/number-text.ts'
import { Icon } from '../parts/icons.tsx'
import cells from '../parts/lists/cells.module.css'
import type { Column } from '../parts/lists/data-table.tsx'
import type { Market } from '../wire.ts'
import { localeName, marketLabel } from './labels.ts'
import styles from './markets.module.css'
import { strings } from './strings.ts'

export type MarketAction = 'edit' | 'delete'
type Parts = {
  project: number
  markets: readonly Market[]
  /** Undefined if the user cannot change them. */
  begin: ((market: Market, action: MarketAction) => void) | undefined
}

export const marketColumns = ({ project, markets, begin }: Parts): Column<Market>[] => [
  {
    header: strings.columns.name,
    id: 'name',
    cell: ({ row: { original } }) => (
      <>
        <bdi className={`${cells.name} ${styles.label}`}>{original.label}</bdi>
        <div className={cells.small}>
          <code>{original.code}</code>
        </div>
        <Checking market={original} />
      </>
    ),
  },
  {
    header: strings.columns.locale,
    id: 'locale',
    isSecondary: true,
    cell: ({ row: { original } }) =>
      original.locale === null ? (
        <span className={cells.small}>{strings.columns.noLocale}</span>
      ) : (
        <>
          {localeName(original.locale)}
          <div className={cells.small}>{original.locale}</div>
        </>
      ),
  },
  { header: strings.columns.currency, id: 'currency', cell: ({ row }) => row.original.currency },
  {
    header: strings.columns.chain,
    id: 'chain',
    cell: ({ row: { original } }) => (
      <bdi className={styles.label}>
        {original.chain.map((code) => marketLabel(code, markets)).join(' → ')}
      </bdi>
    ),
  },
  {
    header: strings.columns.requires,
    id: 'requires',
    isSecondary: true,
    cell: ({ row: { original } }) =>
      original.requires.length === 0 ? (
        <span className={cells.small}>{strings.columns.nothingRequired}</span>
      ) : (
        <bdi className={styles.label}>{original.requires.map(fieldLabel).join(', ')}</bdi>
      ),
  },
  {
    header: strings.columns.actions,
    id: 'actions',
    cell: ({ row }) => <Actions project={project} market={row.original} begin={begin} />,
  },
]

/** Filters and progress are complete only after the service has checked every product. */
function Checking({ market: { marked } }: { market: Market }) {
  if (marked === null) return null
  return (
    <div className={cells.small} role="status">
      {strings.page.checking(numberText(marked.done), numberText(marked.total))}
    </div>
  )
}

function Actions({ project, market, begin }: Omit<Parts, 'markets'> & { market: Market }) {
  const { code, label } = market
  return (
    <div className={styles.actions}>
      <Button
        component={Link}
        to="/projects/$projectId/products"
        params={{ projectId: project } as never}
        search={{ market: code } as never}
        size="compact-sm"
        variant="default"
      >
        {strings.columns.products}
        <span className="unseen"> {label}</span>
      </Button>
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size={26} aria-label={strings.columns.more(label)}>
            <Icon name="more" size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            component={Link}
            to="/projects/$projectId/markets/$market/worklist"
            params={{ projectId: project, market: code } as never}
          >
            {strings.columns.worklist}
          </Menu.Item>
          {begin !== undefined && (
            <>
              <Menu.Item onClick={() => begin(market, 'edit')}>{strings.columns.edit}</Menu.Item>
              <Menu.Divider />
              <Menu.Item c="red" onClick={() => begin(market, 'delete')}>
                {strings.columns.delete}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
