import { ActionIcon, Tooltip } from '@mantine/core'
import { Icon, type IconName } from '../../parts/icons.tsx'

type Props = { id?: string; icon: IconName; label: string; isOff?: boolean; run: () => void }

/**
 * An action on one row. Uses aria-disabled, because a disabled button would lose the focus when a row reaches an
 * end.
 */
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
