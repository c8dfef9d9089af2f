import { NativeSelect } from '@mantine/core'
import { Icon } from '../parts/icons.tsx'
import { strings } from './strings.ts'
import { useMarkets } from './use-markets.ts'

type Props = {
  /** The code of the language or market; undefined is the base. */
  value: string | undefined
  choose: (code: string | undefined) => void
  /** The choice of none; by default, the base. */
  none?: string
}

/** Chooses the language or market in which a page shows products. A project without any shows nothing. */
export function MarketSwitch({ value, choose, none = strings.base }: Props) {
  const { markets, isLoading } = useMarkets()
  if (markets.length === 0 && !isLoading && value === undefined) return null
  const isKnown = value === undefined || markets.some(({ code }) => code === value)
  return (
    <NativeSelect
      aria-label={strings.switch.label}
      title={strings.switch.label}
      leftSection={<Icon name="globe" size={16} />}
      maw="13rem"
      value={value ?? ''}
      data={[
        { value: '', label: none },
        ...markets.map(({ code, label }) => ({ value: code, label })),
        ...(isKnown
          ? []
          : [{ value, label: isLoading ? strings.switch.loading : strings.switch.unknown(value) }]),
      ]}
      onChange={({ currentTarget }) => choose(currentTarget.value || undefined)}
    />
  )
}
