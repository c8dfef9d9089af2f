import { useForm } from '@mantine/form'
import { viewCodePattern } from '../../src/model/fields/view-paths.ts'
import type { Market, MarketInput } from '../wire.ts'
import { strings } from './strings.ts'

export type MarketValues = {
  label: string
  code: string
  locale: string
  currency: string
  falls_back_to: string[]
  requires: string[]
}

const validCode = new RegExp(viewCodePattern)
const validLocale = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/
const currencyOf = (text: string) => text.trim().toUpperCase()

/** `taken`: the codes of other languages and markets, which a new one would replace. */
export const useMarketForm = (initialValues: MarketValues, taken: readonly string[]) =>
  useForm<MarketValues>({
    initialValues,
    validate: {
      label: (label) => (label.trim() === '' ? strings.form.labelMissing : null),
      code: (code) => {
        if (!validCode.test(code.trim())) return strings.form.codeInvalid
        return taken.includes(code.trim()) ? strings.form.codeTaken : null
      },
      locale: (locale) =>
        locale.trim() === '' || validLocale.test(locale.trim()) ? null : strings.form.localeInvalid,
      currency: (currency) => (/^[A-Z]{3}$/.test(currencyOf(currency)) ? null : strings.form.currencyInvalid),
    },
  })
export type MarketForm = ReturnType<typeof useMarketForm>

export function emptyMarket(currency: string): MarketValues {
  return { ...{ label: '', code: '', locale: '', currency }, falls_back_to: [], requires: ['name'] }
}

export function valuesOf({ label, code, locale, currency, falls_back_to, requires }: Market): MarketValues {
  return { ...{ label, code, locale: locale ?? '', currency, falls_back_to, requires } }
}

export function bodyOf({ label, locale, currency, falls_back_to, requires }: MarketValues): MarketInput {
  return {
    ...{ label: label.trim(), locale: locale.trim() === '' ? null : locale.trim() },
    ...{ currency: currencyOf(currency), falls_back_to, requires },
  }
}
