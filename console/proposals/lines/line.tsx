import { Anchor, Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Tag } from '../../parts/badges.tsx'
import { numberText } from '../../parts/format/number-text.ts'
import { mediaOf } from '../../parts/pictures/media-strip.tsx'
import { Picture } from '../../parts/pictures/picture.tsx'
import { firstPicture } from '../../parts/pictures/picture-source.ts'
import type { ProductDetail, ProposalLine } from '../../wire.ts'
import { lineStateLabels, outcomeLabels } from '../labels.ts'
import { LineSource } from '../review/line-source.tsx'
import sides from '../review/review.module.css'
import type { LineReview } from '../review/use-line-review.tsx'
import { strings } from '../strings.ts'
import styles from './line.module.css'
import { LineFields } from './line-fields.tsx'

type Props = {
  project: number
  line: ProposalLine
  /** The language or market whose changes are shown; undefined shows all. */
  market: string | undefined
  /** Undefined if it does not exist yet, or is not loaded. */
  product: ProductDetail | undefined
  isChosen: boolean
  /** Undefined if the line can no longer be applied or discarded. */
  choose: ((isChosen: boolean) => void) | undefined
  /** Undefined if the line can no longer be decided. */
  review: LineReview | undefined
}

/** One line of a proposal. */
export function Line({ project, line, market, product, isChosen, choose, review }: Props) {
  const { state, outcome, score, sku } = line
  const name = sku ?? strings.line.number(line.line).toLowerCase()
  const hasSource = product !== undefined && Object.keys(line.provenance).length > 0
  return (
    <li
      className={styles.line}
      data-chosen={isChosen}
      data-line={line.line}
      data-mark={review?.mark}
      aria-current={review?.isCurrent === true ? 'true' : undefined}
      tabIndex={-1}
      onFocus={review?.select}
    >
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
          <Name project={project} line={line} market={market} product={product} />
          {outcome !== null && outcome !== 'rejected' && (
            <span className={styles.group}>{outcomeLabels[outcome]}</span>
          )}
          <Tag tone={lineStateLabels[state].tone}>{lineStateLabels[state].text}</Tag>
          <Score {...score} />
          <span className={styles.number}>{strings.line.number(line.line)}</span>
        </div>
        <LineFlags line={line} />
        <div className={sides.sides} data-has-source={hasSource}>
          <div className={styles.body}>{review?.editor ?? <LineFields line={line} market={market} />}</div>
          {hasSource && <LineSource line={line} product={product} />}
        </div>
        {review?.actions}
      </div>
    </li>
  )
}

/** What to check in a line that a model wrote, and whether someone edited it. */
function LineFlags({ line: { flags = [], original } }: { line: ProposalLine }) {
  if (flags.length === 0 && original === undefined) return null
  return (
    <ul className={sides.flags}>
      {flags.map((flag) => (
        <li key={flag}>
          <Tag tone="yellow">{strings.flags[flag]}</Tag>
        </li>
      ))}
      {original !== undefined && (
        <li>
          <Tag tone="gray">{strings.review.edited}</Tag>
        </li>
      )}
    </ul>
  )
}

/** Whether the line can still be applied or discarded. */
export function isUndecided({ state }: ProposalLine): boolean {
  return state === 'open' || state === 'conflict'
}

/** The picture, the SKU, and the current name of the product. For a new product, the fields show the name. */
function Name({ project, line, market, product }: Pick<Props, 'project' | 'line' | 'market' | 'product'>) {
  const { sku, product_id } = line
  const text = <bdi>{sku ?? strings.line.noSku(line.line)}</bdi>
  const media = product?.media ?? mediaOf(line.changes['media']?.after)
  return (
    <span className={styles.product}>
      <Picture file={firstPicture(media)} form="row" />
      {product_id === null ? (
        <span className={styles.sku}>{text}</span>
      ) : (
        <Anchor
          component={Link}
          to={`/projects/${project}/products/${product_id}`}
          search={{ market } as never}
          className={styles.sku}
        >
          {text}
        </Anchor>
      )}
      {product !== undefined && <bdi className={styles.name}>{product.name}</bdi>}
    </span>
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
