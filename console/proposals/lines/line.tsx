import { Anchor, Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Tag } from '../../parts/badges.tsx'
import { numberText } from '../../parts/format/number-text.ts'
import type { ProposalLine } from '../../wire.ts'
import { lineStateLabels, outcomeLabels } from '../labels.ts'
import { strings } from '../strings.ts'
import styles from './line.module.css'
import { LineFields } from './line-fields.tsx'

type Props = {
  project: number
  line: ProposalLine
  isChosen: boolean
  /** Undefined if the line can no longer be applied or discarded. */
  choose: ((isChosen: boolean) => void) | undefined
}

/** One line of a proposal. */
export function Line({ project, line, isChosen, choose }: Props) {
  const { state, outcome, score, sku } = line
  const name = sku ?? strings.line.number(line.line).toLowerCase()
  return (
    <li className={styles.line} data-chosen={isChosen}>
      <div className={styles.check}>
        {choose !== undefined && (
          <Checkbox
            aria-label={strings.line.select(name)}
            checked={isChosen}
            onChange={({ currentTarget }) => choose(currentTarget.checked)}
          />
        )}
      </div>
      <div className={styles.body}>
        <div className={styles.head}>
          <Sku project={project} line={line} />
          {outcome !== null && outcome !== 'rejected' && (
            <span className={styles.group}>{outcomeLabels[outcome]}</span>
          )}
          <Tag tone={lineStateLabels[state].tone}>{lineStateLabels[state].text}</Tag>
          <Score {...score} />
          <span className={styles.number}>{strings.line.number(line.line)}</span>
        </div>
        <LineFields line={line} />
      </div>
    </li>
  )
}

/** Whether the line can still be applied or discarded. */
export function isUndecided({ state }: ProposalLine): boolean {
  return state === 'open' || state === 'conflict'
}

function Sku({ project, line: { sku, product_id, line } }: { project: number; line: ProposalLine }) {
  const text = <bdi>{sku ?? strings.line.noSku(line)}</bdi>
  if (product_id === null) return <span className={styles.sku}>{text}</span>
  return (
    <Anchor component={Link} to={`/projects/${project}/products/${product_id}`} className={styles.sku}>
      {text}
    </Anchor>
  )
}

function Score({ before, after }: ProposalLine['score']) {
  if (after === null) return null
  const difference = before === null ? 0 : after - before
  const tone = difference > 0 ? styles.better : difference < 0 ? styles.worse : undefined
  return (
    <span className={styles.score}>
      <span>{strings.line.score} </span>
      {before !== null && before !== after && (
        <>
          {numberText(before)}
          <span aria-hidden="true"> → </span>
          <span className="unseen"> {strings.line.to} </span>
        </>
      )}
      <strong className={tone}>
        {numberText(after)}
        {difference !== 0 && ` (${difference > 0 ? '+' : '−'}${numberText(Math.abs(difference))})`}
      </strong>
    </span>
  )
}
