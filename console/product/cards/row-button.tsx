import { ActionIcon, Tooltip } from '@mantine/core'
import { Icon, type IconName } from '../../parts/icons.tsx'

type Props = { id?: string; icon: IconName; label: string; isOff?: boolean; run: () => void }

/** An act on one row. A button that is off can still hold the focus, which would otherwise be lost when a row arrives at an end. */
export function RowButton({ id, icon, label, isOff = false, run }: Props) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        {...(id !== undefined && { id })}
        variant="subtle"
        color="gray"
        size={32}
        aria-label={label}
        aria-disabled={isOff}
        data-disabled={isOff}
        onClick={isOff ? undefined : run}
      >
        <Icon name={icon} size={16} />
      </ActionIcon>
    </Tooltip>
  )
}
