import { Button, Menu } from '@mantine/core'
import { Icon } from '../parts/icons.tsx'
import { exportAddress } from './export-address.ts'
import { strings } from './strings.ts'

type Props = {
  project: number
  filter: string
  columns: string[]
  /** The language or market whose values the file also contains. */
  market: string | undefined
  label?: string
  size?: 'xs' | 'sm'
}

/** Exports all products that match the filter, not only the page. */
export function ExportMenu({
  project,
  filter,
  columns,
  market,
  label = strings.export.label,
  size = 'sm',
}: Props) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size={size} leftSection={<Icon name="download" size={16} />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={exportAddress(project, filter, 'csv', { columns, market })} download>
          {strings.export.shownColumns}
        </Menu.Item>
        <Menu.Item component="a" href={exportAddress(project, filter, 'csv', { market })} download>
          {strings.export.allFields}
        </Menu.Item>
        <Menu.Item component="a" href={exportAddress(project, filter, 'ndjson', { market })} download>
          {strings.export.ndjson}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
