import { isViewColumn } from '../../../model/files/view-columns.ts'
import type { SourceContext } from '../rows/source-context.ts'
import type { FindView } from './find-view.ts'
import type { ColumnMap, Rule } from './map.schema.ts'
import type { ColumnRule } from './map-cell.ts'

/** The rules for the columns of a file, in the order in which they apply: the first one for a field wins. */
export function rulesOf(
  { columns }: ColumnMap,
  header: readonly string[],
  { locale, currency }: Pick<SourceContext, 'locale' | 'currency'>,
  findView: FindView,
): Map<string, ColumnRule> {
  const rules = new Map<string, ColumnRule>()
  for (const [pattern, rule] of Object.entries(columns)) {
    if (rule === null) continue
    const isFree = (name: string) =>
      !rules.has(name) && (name === pattern || !Object.hasOwn(columns, name)) && matchesPattern(pattern, name)
    const fitting = header.filter(isFree)
    const preferred = (name: string) => isPreferred(pattern, name, rule.field === 'price' ? currency : locale)
    const viewsOf = (name: string) =>
      preferred(name) || !isViewColumn(rule.field)
        ? []
        : findView(starOf(pattern, name) ?? '', rule.field === 'price')
    const ordered = [...fitting.filter(preferred), ...fitting.filter((name) => !preferred(name))]
    const ofBase = ordered.filter((name) => viewsOf(name).length === 0)
    for (const name of ordered) {
      const [view, other] = viewsOf(name)
      if (view === undefined) rules.set(name, ruleOf(rule, pattern, name, ofBase.indexOf(name)))
      else rules.set(name, { ...rule, column: name, ...(other === undefined ? { view } : { isSpare: true }) })
    }
  }
  return rules
}

function ruleOf(rule: Rule, pattern: string, name: string, place: number): ColumnRule {
  if (!pattern.includes('*')) return { ...rule, column: name }
  const field = rule.field.replace('*', starOf(pattern, name) ?? '')
  // Prices in different currencies must not mix. Other fields use the first nonempty language.
  if (rule.field === 'price') return { ...rule, column: name, field, isSpare: place > 0 }
  return { ...rule, column: name, field, isAlternative: true }
}

/** The locale en_US prefers `name-en_US` and `description-en_US-print`. */
function isPreferred(pattern: string, name: string, wanted: string | undefined): boolean {
  return wanted !== undefined && (starOf(pattern, name) ?? '').split('-').includes(wanted)
}

/** The part of a name that matches the star; undefined if the name does not match. */
function starOf(pattern: string, name: string): string | undefined {
  const [before = '', after] = pattern.split('*', 2)
  if (after === undefined) return pattern === name ? '' : undefined
  const isMatch =
    name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after)
  return isMatch ? name.slice(before.length, name.length - after.length) : undefined
}

export function matchesPattern(pattern: string, name: string): boolean {
  return starOf(pattern, name) !== undefined
}
