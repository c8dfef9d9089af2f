import { useForm } from '@mantine/form'
import { runLimits } from '../../../src/model/limits/runs.ts'
import { readNumber } from '../../parts/numbers/read-number.ts'
import type { RunCreate, RunModels } from '../../wire.ts'
import { strings } from './strings.ts'
import type { Target } from './target.ts'
import { isWritable } from './writable-fields.ts'

export type WriteValues = {
  prompt: string | null
  /** `label production` or `version 1.0.0`. */
  version: string
  write: string[]
  /** The provider and the model, separated by a space. */
  model: string
  sample: string
  budget: string
  /** Values of variables that products do not have. */
  given: Record<string, string>
}

export type Priced = { provider: string; currency: string; name: string; isFree: boolean }

/** The models of all enabled providers. */
export function pricedModels(providers: RunModels['results']): Priced[] {
  return providers
    .filter(({ state }) => state === 'enabled')
    .flatMap(({ name: provider, currency, models }) =>
      models.map(({ name, input_price, output_price }) => ({
        ...{ provider, currency, name, isFree: input_price === 0 && output_price === 0 },
      })),
    )
}

export const keyOf = ({ provider, name }: Priced) => `${provider} ${name}`

const isBlank = (text: string) => text.trim() === ''
const numberOf = (text: string) => {
  const read = readNumber(text)
  return 'number' in read ? read.number : Number.NaN
}

export function useWriteForm({ count, field }: Target, models: Priced[]) {
  const isFree = (key: string) => models.find((one) => keyOf(one) === key)?.isFree === true
  return useForm<WriteValues>({
    initialValues: {
      ...{ prompt: null, version: '', budget: '', given: {} },
      write: field !== undefined && isWritable(field) ? [field] : [],
      model: models[0] === undefined ? '' : keyOf(models[0]),
      // One product needs no sample.
      sample: String(count === 1 ? 0 : Math.min(runLimits.sample, count)),
    },
    validate: {
      prompt: (prompt) => (prompt === null ? strings.promptMissing : null),
      write: ({ length }) => {
        if (length === 0) return strings.fieldsMissing
        return length > runLimits.fields ? strings.tooManyFields(runLimits.fields) : null
      },
      given: (given) => (Object.values(given).some(isBlank) ? strings.variableMissing : null),
      sample: (text) =>
        Number.isInteger(numberOf(text)) && numberOf(text) >= 0 ? null : strings.sampleInvalid,
      budget: (text, { model }) => (isFree(model) || numberOf(text) > 0 ? null : strings.budgetInvalid),
    },
  })
}
export type WriteForm = ReturnType<typeof useWriteForm>

export function requestOf(
  values: WriteValues,
  { count, products, market }: Target,
  models: Priced[],
): RunCreate {
  const chosen = models.find((one) => keyOf(one) === values.model)
  const [kind, version = ''] = values.version.split(' ', 2)
  return {
    ...(kind === 'label' ? { label: version } : { version_number: version }),
    ...products,
    ...(count > runLimits.products && { limit: runLimits.products }),
    write: values.write,
    ...(market !== undefined && { view: market }),
    variables: values.given,
    ...{ provider: chosen?.provider ?? '', model: chosen?.name ?? '', sample: numberOf(values.sample) },
    ...(chosen?.isFree === false && {
      budget: { amount: numberOf(values.budget), currency: chosen.currency },
    }),
  }
}
