import { ActionIcon, Button, Menu } from '@mantine/core'
import { Tag } from '../parts/badges.tsx'
import { priceText } from '../parts/format/price-text.ts'
import { Icon } from '../parts/icons.tsx'
import cells from '../parts/lists/cells.module.css'
import type { Column } from '../parts/lists/data-table.tsx'
import type { AiProvider } from '../wire.ts'
import styles from './ai-providers.module.css'
import type { ProviderAction } from './provider-actions.tsx'
import { strings } from './strings.ts'
import { doesWork } from './test-dialog.tsx'

type Begin = (provider: AiProvider, action: ProviderAction) => void

export const providerColumns = (begin: Begin): Column<AiProvider>[] => [
  {
    header: strings.columns.name,
    id: 'name',
    cell: ({ row: { original } }) => (
      <>
        <div className={cells.name}>{original.name}</div>
        <div className={cells.small}>{original.base_url ?? strings.offered}</div>
        <div className={cells.small}>
          {strings.kinds[original.kind]}
          {!original.has_key && !original.offered && `, ${strings.withoutKey.toLowerCase()}`}
        </div>
      </>
    ),
  },
  {
    header: strings.columns.models,
    id: 'models',
    cell: ({ row: { original } }) => (
      <>
        <div>{strings.models(original.models.length)}</div>
        <div className={cells.small}>{original.models.map(({ name }) => name).join(', ')}</div>
      </>
    ),
  },
  { header: strings.columns.state, id: 'state', cell: ({ row }) => <State provider={row.original} /> },
  {
    header: strings.columns.tested,
    id: 'tested',
    isSecondary: true,
    cell: ({ row: { original } }) => <LastTest provider={original} />,
  },
  {
    header: strings.columns.budget,
    id: 'budget',
    isNumber: true,
    cell: ({ row: { original } }) =>
      original.monthly_budget === null
        ? strings.noBudget
        : priceText(original.monthly_budget, original.currency),
  },
  {
    header: strings.columns.actions,
    id: 'actions',
    cell: ({ row: { original } }) => <Actions provider={original} begin={begin} />,
  },
]

function State({ provider: { state, disabled_reason } }: { provider: AiProvider }) {
  return (
    <>
      <Tag tone={state === 'enabled' ? 'accent' : 'red'}>{strings.states[state]}</Tag>
      {disabled_reason !== null && <div className={styles.reason}>{strings.reasons[disabled_reason]}</div>}
    </>
  )
}

function LastTest({ provider: { findings } }: { provider: AiProvider }) {
  if (findings === null) return strings.test.never
  return doesWork(findings) ? strings.test.ok : strings.test.failed
}

function Actions({ provider, begin }: { provider: AiProvider; begin: Begin }) {
  const { name, offered, disabled_reason } = provider
  // Only the operator changes and tests an offered provider.
  if (offered) return null
  const item = (action: ProviderAction, isDanger = false) => (
    <Menu.Item {...(isDanger && { c: 'red' })} onClick={() => begin(provider, action)}>
      {strings.actions[action]}
    </Menu.Item>
  )
  const first = disabled_reason === 'restored' ? 'enable' : disabled_reason === null ? 'test' : 'key'
  return (
    <div className={styles.actions}>
      <Button size="compact-sm" variant="default" onClick={() => begin(provider, first)}>
        {strings.actions[first]}
        <span className="unseen"> {name}</span>
      </Button>
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size={26} aria-label={strings.actions.more(name)}>
            <Icon name="more" size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {first !== 'test' && item('test')}
          {item('edit')}
          {first !== 'key' && item('key')}
          <Menu.Divider />
          {item('delete', true)}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
