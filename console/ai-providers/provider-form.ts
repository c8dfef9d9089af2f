import { isNotEmpty, useForm } from '@mantine/form'
import { fieldText, readNumber } from '../parts/numbers/read-number.ts'
import type { AiProvider, AiProviderPut } from '../wire.ts'
import { strings } from './strings.ts'

export type ModelDraft = {
  name: string
  input_price: string
  output_price: string
  max_output_tokens: string
}
/** All numbers as text. Empty limits are no limits. */
export type ProviderValues = {
  name: string
  kind: AiProvider['kind']
  base_url: string
  key: string
  currency: string
  models: ModelDraft[]
  concurrency: string
  requests_per_minute: string
  monthly_budget: string
}

export const newModel: ModelDraft = {
  ...{ name: '', input_price: '', output_price: '', max_output_tokens: '1000' },
}

/** Only services with one public address. */
export const usualUrls: Record<AiProvider['kind'], string> = {
  'openai-compatible': '',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
}

const numberOf = (text: string) => {
  const read = readNumber(text)
  return 'number' in read ? read.number : Number.NaN
}
const isPositive = (text: string) => Number.isInteger(numberOf(text)) && numberOf(text) >= 1
const price = (text: string) => (numberOf(text) >= 0 ? null : strings.form.price)
const positive = (text: string) => (isPositive(text) ? null : strings.form.positive)
const orEmpty = (check: (text: string) => string | null) => (text: string) =>
  text.trim() === '' ? null : check(text)

export const useProviderForm = (initialValues: ProviderValues) =>
  useForm<ProviderValues>({
    initialValues,
    validate: {
      name: (name) => (/^[a-z0-9][a-z0-9._-]{0,63}$/.test(name.trim()) ? null : strings.form.nameInvalid),
      base_url: isNotEmpty(strings.form.urlMissing),
      currency: (code) => (/^[A-Z]{3}$/.test(codeOf(code)) ? null : strings.form.currencyInvalid),
      models: {
        name: isNotEmpty(strings.form.modelMissing),
        ...{ input_price: price, output_price: price, max_output_tokens: positive },
      },
      concurrency: positive,
      requests_per_minute: orEmpty(positive),
      monthly_budget: orEmpty(price),
    },
  })
export type ProviderForm = ReturnType<typeof useProviderForm>

export function emptyProvider(currency: string): ProviderValues {
  return {
    ...{ name: '', kind: 'openai-compatible', base_url: '', key: '', currency, models: [newModel] },
    ...{ concurrency: '4', requests_per_minute: '', monthly_budget: '' },
  }
}

export function valuesOf(provider: AiProvider): ProviderValues {
  const { name, kind, base_url, currency, models } = provider
  return {
    ...{ name, kind, base_url: base_url ?? '', key: '', currency },
    models: models.map(({ name: model, input_price, output_price, max_output_tokens }) => ({
      ...{ name: model, input_price: fieldText(input_price), output_price: fieldText(output_price) },
      max_output_tokens: fieldText(max_output_tokens),
    })),
    concurrency: fieldText(provider.concurrency),
    requests_per_minute: fieldText(provider.requests_per_minute),
    monthly_budget: fieldText(provider.monthly_budget),
  }
}

export function bodyOf({ kind, base_url, key, currency, models, ...limits }: ProviderValues): AiProviderPut {
  const orNull = (text: string) => (text.trim() === '' ? null : numberOf(text))
  return {
    ...{ kind, base_url: base_url.trim(), currency: codeOf(currency) },
    ...(key.trim() !== '' && { key: key.trim() }),
    models: models.map(({ name, input_price, output_price, max_output_tokens }) => ({
      ...{ name: name.trim(), input_price: numberOf(input_price), output_price: numberOf(output_price) },
      max_output_tokens: numberOf(max_output_tokens),
    })),
    concurrency: numberOf(limits.concurrency),
    requests_per_minute: orNull(limits.requests_per_minute),
    monthly_budget: orNull(limits.monthly_budget),
  }
}

function codeOf(currency: string): string {
  return currency.trim().toUpperCase()
}
