import { type ReactNode, useEffect, useRef } from 'react'
import { numberText } from '../parts/format/number-text.ts'
import { Card } from '../parts/page.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import { ProductLink } from '../product/product-link.tsx'
import type { QualityPreview } from '../wire.ts'
import styles from './preview-card.module.css'
import { strings } from './strings.ts'

const maxChanges = 10
const scoreText = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })
const score = (value: number | null) => (value === null ? '–' : scoreText.format(value))

type Props = {
  project: number
  preview: QualityPreview
  /** Why the rules could not be saved. */
  problem: Error | null
  actions: ReactNode
}

/** Grades before and after, and the largest score changes. */
export function PreviewCard({ project, preview, problem, actions }: Props) {
  const place = useRef<HTMLDivElement>(null)
  // The edited rule can be far below.
  // biome-ignore lint/correctness/useExhaustiveDependencies: again with each preview
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [preview])
  const { looked_at, products, average, grades, changes } = preview
  const most = Math.max(1, ...grades.flatMap(({ before, after }) => [before, after]))
  const of =
    looked_at < products ? strings.preview.sample(looked_at, products) : strings.preview.all(products)
  return (
    <Card
      title={strings.preview.title}
      actions={actions}
      lead={strings.preview.lead(of, score(average.before), score(average.after))}
    >
      {problem !== null && <ProblemAlert error={problem} title={strings.preview.notSaved} />}
      <div className={styles.parts} ref={place}>
        <table className={styles.grades} aria-label={strings.preview.grades}>
          <thead>
            <tr>
              <th scope="col">{strings.preview.grade}</th>
              <th scope="col">{strings.preview.before}</th>
              <th scope="col">{strings.preview.after}</th>
            </tr>
          </thead>
          <tbody>
            {grades.map(({ grade, before, after }) => (
              <tr key={grade}>
                <th scope="row">{grade}</th>
                <td>
                  <Bar count={before} share={before / most} />
                </td>
                <td>
                  <Bar count={after} share={after / most} isAfter />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <Changes project={project} changes={changes} />
      </div>
    </Card>
  )
}

function Bar({ count, share, isAfter = false }: { count: number; share: number; isAfter?: boolean }) {
  return (
    <div className={styles.cell}>
      <div className={styles.track} aria-hidden="true">
        <div className={styles.bar} data-after={isAfter} style={{ width: `${100 * share}%` }} />
      </div>
      <span>{numberText(count)}</span>
    </div>
  )
}

function Changes({ project, changes }: { project: number; changes: QualityPreview['changes'] }) {
  if (changes.length === 0) return <p className={styles.none}>{strings.preview.noChanges}</p>
  return (
    <div>
      <h3 className={styles.heading}>{strings.preview.changes}</h3>
      <ul className={styles.changes}>
        {changes.slice(0, maxChanges).map(({ id, sku, name, before, after }) => (
          <li key={id}>
            <div>
              <ProductLink project={project} id={id}>
                <bdi>{name}</bdi>
              </ProductLink>{' '}
              <small>
                <bdi>{sku}</bdi>
              </small>
            </div>
            <span>{strings.preview.change(before, after)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
