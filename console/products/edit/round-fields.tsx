import { NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { priceText } from '../../parts/format/price-text.ts'
import { useCurrency } from '../../parts/use-currency.ts'
import styles from '../products.module.css'
import { strings } from '../strings.ts'
import { resultOf } from './calculations.ts'
import type { EditDraft } from './edit-draft.ts'
import { directions, isOwnRounding, type RoundDraft, roundChoices } from './round-draft.ts'

const { rounding } = strings.edit
/** A price of the example, which shows what the rounding does. */
const examplePrice = 19.9

type Props = {
  draft: EditDraft
  error: ReactNode
  change: (some: Partial<EditDraft>) => void
}

/** How calculated prices are rounded, with an example. */
export function RoundFields({ draft, error, change }: Props) {
  const { round } = draft
  const currency = useCurrency()
  const setRound = (some: Partial<RoundDraft>) => change({ round: { ...round, ...some } })
  const example = resultOf(draft, examplePrice)
  return (
    <>
      <div className={styles.editHead}>
        <NativeSelect
          label={rounding.label}
          data={roundChoices}
          value={round.to}
          onChange={({ currentTarget }) => setRound({ to: currentTarget.value })}
        />
        {round.to !== 'cents' && (
          <NativeSelect
            label={rounding.direction}
            data={directions}
            value={round.direction}
            onChange={({ currentTarget }) => setRound({ direction: currentTarget.value })}
          />
        )}
      </div>
      {isOwnRounding(round) && (
        <TextInput
          label={round.to === 'ending' ? rounding.ending : rounding.step}
          inputMode="decimal"
          value={round.amount}
          error={error}
          onChange={({ currentTarget }) => setRound({ amount: currentTarget.value })}
        />
      )}
      {example !== undefined && (
        <p className={styles.hint} role="status">
          {rounding.example(priceText(examplePrice, currency), priceText(example, currency))}
        </p>
      )}
    </>
  )
}
