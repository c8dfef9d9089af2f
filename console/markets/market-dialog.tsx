import { TextInput } from '@mantine/core'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { FieldRow } from '../parts/forms/form.tsx'
import { useCurrency } from '../parts/use-currency.ts'
import type { Market } from '../wire.ts'
import { putMarket } from './changes.ts'
import { FallbackFields } from './fallback-fields.tsx'
import { bodyOf, emptyMarket, useMarketForm, valuesOf } from './market-form.ts'
import { RequiredFields } from './required-fields.tsx'
import { strings } from './strings.ts'

type Props = {
  project: number
  markets: readonly Market[]
  /** Undefined for a new one. */
  market?: Market
  done: (saved: Market) => void
  close: () => void
}

export function MarketDialog({ project, markets, market, done, close }: Props) {
  const currency = useCurrency()
  const isNew = market === undefined
  const taken = isNew ? markets.map(({ code }) => code) : []
  const form = useMarketForm(isNew ? emptyMarket(currency) : valuesOf(market), taken)
  return (
    <FormDialog
      title={isNew ? strings.form.addTitle : strings.form.editTitle(market.label)}
      size="lg"
      action={isNew ? strings.form.add : strings.form.save}
      form={form}
      send={(values) => putMarket(project, values.code.trim(), bodyOf(values))}
      done={done}
      close={close}
    >
      <FieldRow>
        <TextInput
          label={strings.form.label}
          description={strings.form.labelHint}
          maxLength={100}
          data-autofocus
          {...form.getInputProps('label')}
        />
        {isNew && (
          <TextInput
            label={strings.form.code}
            description={strings.form.codeHint}
            maxLength={32}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('code')}
          />
        )}
      </FieldRow>
      <FieldRow>
        <TextInput
          label={strings.form.locale}
          description={strings.form.localeHint}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('locale')}
        />
        <TextInput
          label={strings.form.currency}
          description={strings.form.currencyHint}
          maxLength={3}
          {...form.getInputProps('currency')}
        />
      </FieldRow>
      <FallbackFields form={form} markets={markets} />
      <RequiredFields project={project} form={form} />
    </FormDialog>
  )
}
