import { NativeSelect, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isProductVariable } from '../../../src/model/prompts/product-variable-names.ts'
import { ownValue } from '../../parts/forms/own-value.ts'
import { promptsQuery } from '../../products/queries.ts'
import { versionQuery, versionsQuery } from '../../prompts/queries.ts'
import type { Prompt } from '../../wire.ts'
import { strings } from './strings.ts'
import type { WriteForm } from './write-form.ts'

type Props = { project: number; form: WriteForm }

const pauseMilliseconds = 200
const mostVersions = 100

/** The prompt, its label or version, and the variables that products do not have. */
export function PromptFields({ project, form }: Props) {
  const [search, setSearch] = useState('')
  const [prompt, setPrompt] = useState<Prompt>()
  const [wanted] = useDebouncedValue(search, pauseMilliseconds)
  const { data } = useQuery(promptsQuery(project, wanted === prompt?.name ? '' : wanted.trim()))
  const found = data?.results ?? []
  const isListed = prompt === undefined || found.some(({ id }) => id === prompt.id)
  const choices = isListed ? found : [prompt, ...found]
  const choose = (id: string | null) => {
    const chosen = choices.find((one) => String(one.id) === id)
    setPrompt(chosen)
    form.clearFieldError('prompt')
    form.setValues({ prompt: id, given: {}, version: chosen === undefined ? '' : usualVersion(chosen) })
  }
  return (
    <>
      <Select
        label={strings.prompt}
        placeholder={strings.promptSearch}
        data={choices.map(({ id, name }) => ({ value: String(id), label: name }))}
        searchable
        searchValue={search}
        onSearchChange={setSearch}
        // The service has searched.
        filter={({ options }) => options}
        nothingFoundMessage={strings.noPrompt}
        value={form.values.prompt}
        error={form.errors['prompt']}
        onChange={choose}
        data-autofocus
      />
      {prompt !== undefined && <VersionFields project={project} form={form} prompt={prompt} />}
    </>
  )
}

/** The label `production` if it exists, otherwise the latest version. */
function usualVersion({ labels, latest_version }: Prompt): string {
  return Object.hasOwn(labels, 'production') ? 'label production' : `version ${latest_version}`
}

function VersionFields({ project, form, prompt }: Props & { prompt: Prompt }) {
  const { data } = useQuery(versionsQuery(project, prompt.id, 1, mostVersions))
  const labels = Object.entries(prompt.labels)
  const numbers = data?.results.map(({ version_number }) => version_number) ?? [prompt.latest_version]
  const [kind, chosen = ''] = form.values.version.split(' ', 2)
  const number = kind === 'label' ? (ownValue(prompt.labels, chosen) ?? '') : chosen
  return (
    <>
      <NativeSelect
        label={strings.version}
        data={[
          ...(labels.length === 0
            ? []
            : [
                {
                  group: strings.labels,
                  items: labels.map(([label, version]) => ({
                    value: `label ${label}`,
                    label: strings.label(label, version),
                  })),
                },
              ]),
          { group: strings.versions, items: numbers.map((one) => ({ value: `version ${one}`, label: one })) },
        ]}
        {...form.getInputProps('version')}
      />
      <Variables project={project} form={form} prompt={prompt.id} version={number} />
    </>
  )
}

type VariableProps = Props & { prompt: number; version: string }

function Variables({ project, form, prompt, version }: VariableProps) {
  const { data } = useQuery(versionQuery(project, prompt, version))
  const names = data?.variables.filter((name) => !isProductVariable(name)) ?? []
  const asked = names.join(' ')
  const { setFieldValue } = form
  const isKnown = Object.keys(form.values.given).join(' ') === asked
  // The form checks the variables of this version, and keeps what the user typed.
  useEffect(() => {
    if (isKnown) return
    const all = asked === '' ? [] : asked.split(' ')
    setFieldValue('given', (before) =>
      Object.fromEntries(all.map((name) => [name, ownValue(before, name) ?? ''])),
    )
  }, [asked, isKnown, setFieldValue])
  return names.map((name) => (
    <TextInput
      key={name}
      label={strings.variable(name)}
      description={strings.variableHint}
      value={ownValue(form.values.given, name) ?? ''}
      error={ownValue(form.values.given, name) === '' && form.errors['given']}
      onChange={({ currentTarget: { value } }) =>
        form.setFieldValue('given', { ...form.values.given, [name]: value })
      }
    />
  ))
}
