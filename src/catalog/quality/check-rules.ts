import { compilePattern } from '../../model/attributes/linear-pattern.ts'
import { qualityLimits } from '../../model/limits/quality.ts'
import type { QualityRule } from '../../model/quality/quality-rule.schema.ts'
import { kinds, type RuleSetting } from '../../model/quality/rule-kinds.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type BodyError, Problem } from '../../platform/http/problems.ts'
import { findCategories } from '../categories/look-up-categories.sql.ts'

const settings: readonly RuleSetting[] = ['field', 'attribute', 'min', 'max', 'pattern']

/** Rejects rules with errors that the schema cannot detect. With `withLock`, their categories cannot be deleted until the transaction ends. */
export async function checkRules(
  database: Queryable,
  projectId: number,
  rules: readonly QualityRule[],
  withLock: boolean,
): Promise<void> {
  const ids = [...new Set(rules.flatMap(({ categories = [] }) => categories))]
  const found = ids.length === 0 ? [] : await findCategories(database, projectId, ids, [], withLock)
  const known = new Set(found.map(({ id }) => id))
  const errors = [
    ...rules.flatMap((rule, index) =>
      [
        ...settingErrors(rule),
        ...duplicateErrors(rule, rules.slice(0, index)),
        ...unknownCategories(rule, known),
      ].map(({ pointer, ...error }) => ({ pointer: `/rules/${index}/${pointer}`, ...error })),
    ),
    ...(rules.some(({ points }) => points > 0)
      ? []
      : [{ pointer: '/rules', code: 'too_small', message: 'must have at least one point in total' }]),
  ]
  if (errors.length > 0) throw new Problem('invalid_body', { errors })
}

function* settingErrors(rule: QualityRule): Generator<BodyError> {
  const { kind, min, max, pattern } = rule
  const { needs, takes = [] } = kinds[kind]
  for (const setting of settings) {
    const isGiven = rule[setting] !== undefined
    if (!isGiven && needs.includes(setting))
      yield { pointer: setting, code: 'required', message: `is required for the kind ${kind}` }
    if (isGiven && !needs.includes(setting) && !takes.includes(setting))
      yield {
        pointer: setting,
        code: 'not_applicable',
        message: `does not apply to the kind ${kind}; leave it out`,
      }
  }
  if (takes.includes('max') && min === undefined && max === undefined)
    yield { pointer: 'min', code: 'required', message: 'is required unless max is set' }
  if (min !== undefined && max !== undefined && max < min)
    yield { pointer: 'max', code: 'too_small', message: 'must not be less than min' }
  const reason = pattern === undefined ? undefined : patternError(pattern)
  if (reason !== undefined)
    yield { pointer: 'pattern', code: 'invalid_pattern', message: `is not a valid pattern: ${reason}` }
}

function patternError(pattern: string): string | undefined {
  try {
    compilePattern(pattern)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

function* duplicateErrors({ code, kind }: QualityRule, before: readonly QualityRule[]): Generator<BodyError> {
  if (before.some((other) => other.code === code))
    yield {
      pointer: 'code',
      code: 'duplicate',
      message: 'is already the code of an earlier rule; choose another',
    }
  // A project whose rules do not contain that kind still has a rule with this code.
  if (code === 'attribute_definitions' && kind !== code)
    yield { pointer: 'code', code: 'reserved', message: `is reserved for the kind ${code}; choose another` }
  const same = before.filter((other) => other.kind === kind).length
  if (kind === 'attribute_definitions' && same > 0)
    yield { pointer: 'kind', code: 'too_many', message: 'can be the kind of only one rule' }
  if (kind === 'text_pattern' && same >= qualityLimits.patternRules)
    yield {
      pointer: 'kind',
      code: 'too_many',
      message: `can be the kind of at most ${qualityLimits.patternRules} rules`,
    }
}

function unknownCategories({ categories = [] }: QualityRule, known: Set<number>): BodyError[] {
  return categories.flatMap((id, index) =>
    known.has(id)
      ? []
      : [
          {
            pointer: `categories/${index}`,
            code: 'unknown_category',
            message: `there is no category ${id} in this project`,
          },
        ],
  )
}
