import { Anchor, Button } from '@mantine/core'
import { labelIn } from '../../markets/labels.ts'
import { useMarkets } from '../../markets/use-markets.ts'
import { Tag } from '../../parts/badges.tsx'
import { RelativeTime } from '../../parts/format/relative-time.tsx'
import type { ProductChange, ProductDetail } from '../../wire.ts'
import { useFollow } from '../product-link.tsx'
import { WrittenBy } from '../provenance.tsx'
import { strings } from '../strings.ts'
import { valueText } from '../value-text.tsx'
import { ChangedValue } from './changed-value.tsx'
import { FieldValue } from './field-value.tsx'
import { confirmedFields, flatValues } from './flat-values.ts'
import styles from './history.module.css'
import type { Restoration } from './restore-dialog.tsx'

type Props = {
  product: ProductDetail
  change: ProductChange
  /** Undefined if the user cannot restore anything. */
  restore: ((restoration: Restoration) => void) | undefined
}

const same = (left: unknown, right: unknown) => JSON.stringify(left ?? null) === JSON.stringify(right ?? null)

export function ChangeEntry({ product, change, restore }: Props) {
  const { version, changed_at, before, provenance } = change
  const { markets } = useMarkets()
  const old = flatValues(before ?? {})
  const recent = flatValues(change.after)
  const current = flatValues(product)
  const fields = [...new Set([...old.keys(), ...recent.keys()])].filter(
    (field) => !same(old.get(field), recent.get(field)),
  )
  const confirmed = confirmedFields(before ?? {}, change.after)
  const button = (field: string, at: number, value: unknown) =>
    restore !== undefined && !same(value, current.get(field)) ? (
      <RestoreButton
        label={strings.history.fieldOfVersion(labelIn(field, markets), at)}
        run={() => restore({ version: at, field, value })}
      />
    ) : null
  return (
    <li className={styles.entry}>
      <EntryHead product={product} change={change} />
      {restore !== undefined && version !== product.version && (
        <Button size="xs" variant="default" onClick={() => restore({ version, at: changed_at })}>
          {strings.restore.version(version)}
        </Button>
      )}
      {confirmed.length > 0 && (
        <p className={styles.small}>
          {strings.history.confirmed(confirmed.map((field) => labelIn(field, markets)).join(', '))}
        </p>
      )}
      {before === null ? (
        <Creation fields={recent} />
      ) : (
        fields.map((field) => (
          <div key={field}>
            <ChangedValue
              field={field}
              label={labelIn(field, markets)}
              before={old.get(field)}
              after={recent.get(field)}
              actions={{
                before: button(field, version - 1, old.get(field)),
                after: button(field, version, recent.get(field)),
              }}
            />
            <p className={styles.small}>
              <WrittenBy provenance={provenance} field={field} />
            </p>
          </div>
        ))
      )}
    </li>
  )
}

function EntryHead({ product, change }: { product: ProductDetail; change: ProductChange }) {
  const follow = useFollow()
  const { version, changed_at, actor, source, proposal, score_before, score_after, before } = change
  return (
    <div className={styles.head}>
      <h2>
        {strings.history.version(version)}
        {version === product.version && (
          <>
            {' '}
            <Tag tone="accent">{strings.history.current}</Tag>
          </>
        )}
      </h2>
      <p>
        {before === null ? strings.history.createdBy : strings.history.changedBy} <bdi>{actor}</bdi>{' '}
        {strings.history.sources[source]} <RelativeTime at={changed_at} isInSentence />
        {proposal !== null && (
          <>
            {strings.history.from}{' '}
            <Anchor {...follow(`/projects/${product.project}/proposals/${proposal}`)}>
              {strings.history.proposal(proposal)}
            </Anchor>
          </>
        )}
        {score_after !== null && (
          <span className="tabular">
            {strings.history.score(
              score_before === null || score_before === score_after
                ? String(score_after)
                : `${score_before} → ${score_after}`,
            )}
          </span>
        )}
      </p>
    </div>
  )
}

function RestoreButton({ label, run }: { label: string; run: () => void }) {
  return (
    <Button size="compact-xs" variant="light" onClick={run}>
      {strings.history.restoreThis}
      <span className="unseen"> {label}</span>
    </Button>
  )
}

/** The initial values of the product. */
function Creation({ fields }: { fields: Map<string, unknown> }) {
  const { markets } = useMarkets()
  const filled = [...fields].filter(([, value]) => valueText(value) !== '')
  return (
    <details className={styles.creation}>
      <summary>{strings.history.initial(filled.length)}</summary>
      <dl>
        {filled.map(([field, value]) => (
          <div key={field}>
            <dt>
              <bdi>{labelIn(field, markets)}</bdi>
            </dt>
            <dd>
              <FieldValue field={field} value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
