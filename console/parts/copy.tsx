import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { Icon } from './icons.tsx'
import { strings } from './strings.ts'

type Props = { text: string; label: string; wide?: boolean }

/** Also announces to screen readers that the text was copied. */
export function CopyButton({ text, label, wide = false }: Props) {
  const clipboard = useClipboard({ timeout: 1_800 })
  const icon = <Icon name={clipboard.copied ? 'check' : 'copy'} size={16} />
  const copy = () => clipboard.copy(text)
  return (
    <>
      {wide ? (
        <Button variant="default" leftSection={icon} onClick={copy}>
          {clipboard.copied ? strings.copy.copied : label}
        </Button>
      ) : (
        <Tooltip label={clipboard.copied ? strings.copy.copied : label}>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={copy}>
            {icon}
          </ActionIcon>
        </Tooltip>
      )}
      <span role="status" className="unseen">
        {clipboard.copied ? strings.copy.copied : ''}
      </span>
    </>
  )
}
