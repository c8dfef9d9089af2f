import { NativeSelect } from '@mantine/core'
import { fieldLabel } from '../../../src/model/fields/field-paths.ts'
import { useMarkets } from '../../markets/use-markets.ts'
import { strings } from '../strings.ts'
import { type FilterDraft, marketOperators } from './filter-draft.ts'

type Props = { draft: FilterDraft; change: (some: Partial<FilterDraft>) => void }

/** What products lack, or have of their own, in a language or market. */
export function MarketFilterFields({ draft, change }: Props) {
  const { markets } = useMarkets()
  const requires = markets.find(({ code }) => code === draft.name)?.requires ?? []
  return (
    <>
      <NativeSelect
        label={strings.addFilter.kinds.market}
        data={[
          { value: '', label: strings.addFilter.choose },
          ...markets.map(({ code, label }) => ({ value: code, label })),
        ]}
        value={draft.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value, text: '' })}
      />
      <NativeSelect
        label={strings.addFilter.products}
        data={marketOperators}
        value={draft.operator}
        onChange={({ currentTarget }) => change({ operator: currentTarget.value })}
      />
      {draft.operator === 'missing_in' && requires.length > 0 && (
        <NativeSelect
          label={strings.addFilter.missingField}
          data={[
            { value: '', label: strings.addFilter.anyRequired },
            ...requires.map((field) => ({ value: field, label: fieldLabel(field) })),
          ]}
          value={draft.text}
          onChange={({ currentTarget }) => change({ text: currentTarget.value })}
        />
      )}
    </>
  )
}
