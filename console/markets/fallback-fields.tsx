import { ActionIcon, NativeSelect } from '@mantine/core'
import { useRef } from 'react'
import { viewLimits } from '../../src/model/limits/views.ts'
import { Icon } from '../parts/icons.tsx'
import product from '../product/product.module.css'
import type { Market } from '../wire.ts'
import { marketLabel } from './labels.ts'
import type { MarketForm } from './market-form.ts'
import styles from './markets.module.css'
import { strings } from './strings.ts'

type Props = { form: MarketForm; markets: readonly Market[] }

/** The fallbacks in order. */
export function FallbackFields({ form, markets }: Props) {
  const { code, falls_back_to: chosen } = form.values
  const list = useRef<HTMLFieldSetElement>(null)
  const set = (next: string[]) => {
    form.clearFieldError('falls_back_to')
    form.setFieldValue('falls_back_to', next)
  }
  const others = markets.filter((one) => one.code !== code && !chosen.includes(one.code))
  const move = (one: string, by: number) => {
    const rest = chosen.filter((other) => other !== one)
    set(rest.toSpliced(chosen.indexOf(one) + by, 0, one))
  }
  const remove = (one: string) => {
    set(chosen.filter((other) => other !== one))
    // The focused button was removed.
    list.current?.querySelector('select')?.focus()
  }
  return (
    <fieldset ref={list} className={styles.fallbacks}>
      <legend>{strings.form.fallbacks}</legend>
      <p className={product.note}>{strings.form.fallbacksHint}</p>
      {chosen.length === 0 ? (
        <p className={product.note}>{strings.form.noFallbacks}</p>
      ) : (
        <ol className={styles.ordered}>
          {chosen.map((one, index) => (
            <li key={one}>
              <bdi>
                {index + 1}. {marketLabel(one, markets)}
              </bdi>
              <Step
                label={strings.form.moveUp(marketLabel(one, markets))}
                icon="up"
                isOff={index === 0}
                act={() => move(one, -1)}
              />
              <Step
                label={strings.form.moveDown(marketLabel(one, markets))}
                icon="down"
                isOff={index === chosen.length - 1}
                act={() => move(one, 1)}
              />
              <Step
                label={strings.form.remove(marketLabel(one, markets))}
                icon="cross"
                act={() => remove(one)}
              />
            </li>
          ))}
        </ol>
      )}
      {form.errors['falls_back_to'] !== undefined && (
        <p role="alert" className={product.fieldError}>
          {form.errors['falls_back_to']}
        </p>
      )}
      {others.length > 0 && chosen.length < viewLimits.chain - 1 && (
        <NativeSelect
          aria-label={strings.form.addFallback}
          value=""
          data={[
            {
              value: '',
              label: chosen.length === 0 ? strings.form.chooseFallback : strings.form.addFallback,
            },
            ...others.map((one) => ({ value: one.code, label: one.label })),
          ]}
          onChange={({ currentTarget }) => set([...chosen, currentTarget.value])}
        />
      )}
    </fieldset>
  )
}

type StepProps = { label: string; icon: 'up' | 'down' | 'cross'; isOff?: boolean; act: () => void }

/** Not disabled at the first or last position, because a disabled button loses the focus. */
function Step({ label, icon, isOff = false, act }: StepProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      aria-disabled={isOff}
      onClick={() => {
        if (!isOff) act()
      }}
    >
      <Icon name={icon} size={15} />
    </ActionIcon>
  )
}
