import { NativeSelect, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ruleName } from '../../parts/format/rule-name.ts'
import { FieldRow } from '../../parts/forms/form.tsx'
import { numberHint } from '../../parts/numbers/number-hint.ts'
import { numberError } from '../../parts/numbers/parse-number.ts'
import { allRules, promptsQuery, qualityRulesQuery } from '../queries.ts'
import { strings } from '../strings.ts'
import { AttributeNameInput } from './attribute-name-input.tsx'
import { attributeOperators, type FilterDraft } from './filter-draft.ts'

type Props = { project: number; draft: FilterDraft; change: (some: Partial<FilterDraft>) => void }

export function RangeFields({ draft, change }: Omit<Props, 'project'>) {
  return (
    <FieldRow>
      <TextInput
        label={strings.addFilter.from}
        {...numberProps(draft.from)}
        onChange={({ currentTarget }) => change({ from: currentTarget.value })}
      />
      <TextInput
        label={strings.addFilter.upTo}
        {...numberProps(draft.to)}
        onChange={({ currentTarget }) => change({ to: currentTarget.value })}
      />
    </FieldRow>
  )
}

function numberProps(text: string) {
  return {
    inputMode: 'decimal' as const,
    value: text,
    error: numberError(text),
    description: numberHint(text),
  }
}

export function RuleField({ project, draft, change }: Props) {
  const { data } = useQuery(qualityRulesQuery(project))
  const codes = (data === undefined ? [] : allRules(data)).map(({ code }) => ({
    value: code,
    label: ruleName(code),
  }))
  return (
    <NativeSelect
      label={strings.addFilter.rule}
      data={[
        {
          value: '',
          label: data === undefined ? strings.addFilter.loadingRules : strings.addFilter.chooseRule,
        },
        ...codes,
      ]}
      value={draft.chosen[0] ?? ''}
      onChange={({ currentTarget: { value } }) => change({ chosen: value === '' ? [] : [value] })}
    />
  )
}

export function AttributeFields({ project, draft, change }: Props) {
  return (
    <>
      <AttributeNameInput
        project={project}
        label={strings.addFilter.attribute}
        value={draft.name}
        onChange={(name) => change({ name })}
      />
      <NativeSelect
        label={strings.addFilter.condition}
        data={attributeOperators}
        value={draft.operator}
        onChange={({ currentTarget }) => change({ operator: currentTarget.value })}
      />
      {!draft.operator.startsWith('isnull') && (
        <TextInput
          label={strings.addFilter.value}
          value={draft.text}
          onChange={({ currentTarget }) => change({ text: currentTarget.value })}
        />
      )}
    </>
  )
}

const pauseMilliseconds = 200

export function PromptFields({ project, draft, change }: Props) {
  const [search, setSearch] = useState('')
  const [wanted] = useDebouncedValue(search, pauseMilliseconds)
  const { data } = useQuery(promptsQuery(project, wanted === draft.found?.label ? '' : wanted.trim()))
  const found = (data?.results ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const choices =
    draft.found && !found.some(({ value }) => value === draft.found?.value) ? [draft.found, ...found] : found
  return (
    <>
      <Select
        label={strings.addFilter.prompt}
        placeholder={strings.addFilter.typeName}
        data={choices}
        searchable
        searchValue={search}
        onSearchChange={setSearch}
        nothingFoundMessage={strings.addFilter.noPrompt}
        comboboxProps={{ withinPortal: false }}
        value={draft.found?.value ?? null}
        onChange={(value) => change({ found: choices.find((choice) => choice.value === value) })}
      />
      <TextInput
        label={strings.addFilter.versionBelow}
        description={strings.addFilter.versionHint}
        value={draft.text}
        onChange={({ currentTarget }) => change({ text: currentTarget.value })}
      />
    </>
  )
}
