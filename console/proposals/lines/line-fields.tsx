import { fieldInMarket } from '../../markets/labels.ts'
import { useMarkets } from '../../markets/use-markets.ts'
import { PromptLink } from '../../parts/links/prompt-link.tsx'
import { asSentence } from '../../parts/problem.tsx'
import type { ProposalLine } from '../../wire.ts'
import { strings } from '../strings.ts'
import { fieldName, pointerField } from '../value-text.ts'
import { ChangedBy } from './changed-by.tsx'
import { FieldChange, ShortValue } from './field-change.tsx'
import styles from './line.module.css'

type LineError = ProposalLine['errors'][number]

/** The fields of a line with changes, conflicts, errors and provenance. */
export function LineFields({ line, market }: { line: ProposalLine; market: string | undefined }) {
  const { changes, conflicts = {}, errors, warnings = [], provenance } = line
  const fieldErrors = [...errors, ...warnings]
  const named = fieldErrors.flatMap(({ pointer }) => pointerField(pointer) ?? [])
  // The heading already shows the SKU of a new product.
  const changed = Object.keys(changes)
  const all = [
    ...new Set([...Object.keys(conflicts), ...changed, ...Object.keys(line.original ?? {}), ...named]),
  ].filter((field) => field !== 'sku' || line.outcome !== 'created' || Object.hasOwn(conflicts, field))
  const fields = market === undefined ? all : all.filter((field) => fieldInMarket(field)?.code === market)
  const hidden = all.length - fields.length
  const loose = errors.filter(({ pointer }) => pointerField(pointer) === undefined)
  const common = commonSource(fields.flatMap((field) => provenance[field] ?? []))
  if (fields.length === 0 && loose.length === 0 && hidden === 0)
    return <p className={styles.nothing}>{strings.line.noChanges}</p>
  return (
    <>
      {loose.map((fieldError) => (
        <LineMessage key={fieldError.message} fieldError={fieldError} tone="error" />
      ))}
      <dl className={styles.fields}>
        {fields.map((field) => (
          <div key={field}>
            <dt>
              <FieldName field={field} />
            </dt>
            <dd>
              <FieldBody line={line} field={field} />
              <Original line={line} field={field} />
              {at(field, errors, conflicts).map((fieldError) => (
                <LineMessage key={fieldError.message} fieldError={fieldError} tone="error" />
              ))}
              {at(field, warnings, {}).map((fieldError) => (
                <LineMessage key={fieldError.message} fieldError={fieldError} tone="warning" />
              ))}
              {common === undefined && Object.hasOwn(provenance, field) && (
                <WrittenBy entry={provenance[field]} />
              )}
            </dd>
          </div>
        ))}
      </dl>
      <WrittenBy entry={common} />
      {hidden > 0 && <p className={styles.nothing}>{strings.line.otherFields(hidden)}</p>}
    </>
  )
}

type Source = ProposalLine['provenance'][string]

/** The prompt version and model that wrote several fields, if they are the same. The line then shows them once. */
function commonSource(entries: Source[]): Source | undefined {
  const [first, ...others] = entries
  const isSame = ({ prompt_id, version_number, model }: Source) =>
    prompt_id === first?.prompt_id && version_number === first.version_number && model === first.model
  return others.length > 0 && others.every(isSame) ? first : undefined
}

/** The three values already show a conflict, so omit its message. */
function at(field: string, fieldErrors: LineError[], conflicts: object): LineError[] {
  return fieldErrors.filter(
    ({ pointer, code }) =>
      pointerField(pointer) === field && !(code === 'changed_since' && Object.hasOwn(conflicts, field)),
  )
}

function FieldName({ field }: { field: string }) {
  const { name, group } = fieldName(field, useMarkets().markets)
  return (
    <>
      <bdi>{name}</bdi>
      {group !== undefined && <span className={styles.group}> {group}</span>}
    </>
  )
}

function FieldBody({ line, field }: { line: ProposalLine; field: string }) {
  const { changes, conflicts = {}, sku } = line
  const conflict = Object.hasOwn(conflicts, field) ? conflicts[field] : undefined
  const change = Object.hasOwn(changes, field) ? changes[field] : undefined
  if (conflict === undefined) return change === undefined ? null : <FieldChange field={field} {...change} />
  if (field === 'sku' && conflict.base === null)
    return (
      <p className={styles.taken}>
        {strings.line.skuTaken} <bdi>{sku}</bdi>
      </p>
    )
  const sides = {
    [strings.line.base]: conflict.base,
    [strings.line.theirs]: conflict.theirs,
    [strings.line.ours]: conflict.ours,
  }
  return (
    <ul className={styles.conflict}>
      {Object.entries(sides).map(([name, value]) => (
        <li key={name}>
          <span className={styles.side}>{name}</span>
          <ShortValue field={field} value={value} />
          {name === strings.line.theirs && line.product_id !== null && (
            <ChangedBy product={line.product_id} field={field} />
          )}
        </li>
      ))}
    </ul>
  )
}

/** The proposed value of a field that someone edited. */
function Original({ line: { original = {}, changes }, field }: { line: ProposalLine; field: string }) {
  const first = Object.hasOwn(original, field) ? original[field] : undefined
  const now = Object.hasOwn(changes, field) ? changes[field] : undefined
  if (first === undefined || JSON.stringify(first.after) === JSON.stringify(now?.after)) return null
  return (
    <p className={styles.group}>
      {strings.review.original}: <ShortValue field={field} value={first.after} />
    </p>
  )
}

function LineMessage({ fieldError, tone }: { fieldError: LineError; tone: 'error' | 'warning' }) {
  return (
    <p className={styles[tone]}>
      <span className="unseen">{tone === 'error' ? strings.line.error : strings.line.warning}</span>
      {asSentence(fieldError.message)}
    </p>
  )
}

function WrittenBy({ entry }: { entry: Source | undefined }) {
  if (entry === undefined) return null
  return (
    <p className={styles.group}>
      {strings.line.writtenBy}{' '}
      <PromptLink prompt_id={entry.prompt_id} version_number={entry.version_number} />
      {entry.model !== null && (
        <>
          {strings.line.model} <bdi>{entry.model}</bdi>
        </>
      )}
    </p>
  )
}
