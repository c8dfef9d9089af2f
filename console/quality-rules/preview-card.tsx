import { type ReactNode, useEffect, useRef } from 'react'
import { Card } from '../parts/page.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import { counted, numberText } from '../parts/words/number-text.ts'
import { ProductLink } from '../product/product-link.tsx'
import type { QualityPreview } from '../wire.ts'
import styles from './preview-card.module.css'

const mostChanges = 10
const scoreText = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })
const score = (value: number | null) => (value === null ? '–' : scoreText.format(value))

type Props = {
  project: number
  preview: QualityPreview
  /** Why the rules could not be saved. */
  problem: Error | null
  actions: ReactNode
}

/** Grades before and after, and whose score would change most. */
export function PreviewCard({ project, preview, problem, actions }: Props) {
  const place = useRef<HTMLDivElement>(null)
  // What was changed may stand far below.
  // biome-ignore lint/correctness/useExhaustiveDependencies: again with each preview
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [preview])
  const { looked_at, products, average, grades, changes } = preview
  const most = Math.max(1, ...grades.flatMap(({ before, after }) => [before, after]))
  const of =
    looked_at < products
      ? `${counted(looked_at, 'product')} of ${numberText(products)}`
      : counted(products, 'product')
  return (
    <Card
      title="Preview"
      actions={actions}
      lead={`By ${of}: the average goes from ${score(average.before)} to ${score(average.after)}. Nothing is saved yet.`}
    >
      {problem !== null && <ProblemAlert error={problem} title="Not saved" />}
      <div className={styles.parts} ref={place}>
        <table className={styles.grades} aria-label="Grades before and after">
          <thead>
            <tr>
              <th scope="col">Grade</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
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
  if (changes.length === 0) return <p className={styles.none}>No score would change.</p>
  return (
    <div>
      <h3 className={styles.heading}>Scores that change most</h3>
      <ul className={styles.changes}>
        {changes.slice(0, mostChanges).map(({ id, sku, before, after }) => (
          <li key={id}>
            <ProductLink project={project} id={id}>
              <bdi>{sku}</bdi>
            </ProductLink>
            <span>
              {numberText(before)} → {numberText(after)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
