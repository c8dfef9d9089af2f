import { Button } from '@mantine/core'
import { memo } from 'react'
import { fieldLabel } from '../../../src/model/fields/field-paths.ts'
import { ruleName } from '../../parts/format/rule-name.ts'
import { Icon } from '../../parts/icons.tsx'
import { Card } from '../../parts/page.tsx'
import { usePermissions } from '../../parts/permissions.ts'
import { isWritable } from '../../prompt-runs/write/writable-fields.ts'
import { WriteButton } from '../../prompt-runs/write/write-button.tsx'
import type { ProductDetail } from '../../wire.ts'
import { focusField } from '../focus-field.ts'
import common from '../product.module.css'
import { strings } from '../strings.ts'
import styles from './quality-card.module.css'

type Quality = ProductDetail['quality_score']
type Rule = Quality['rules'][number]

/** The score of the saved product, rule by rule, failed rules first. */
type Props = { project: number; product: number; quality: Quality }

export const QualityCard = memo(function QualityCard({ project, product, quality }: Props) {
  const failed = quality.rules.filter(({ passed }) => !passed)
  const passed = quality.rules.filter((rule) => rule.passed)
  return (
    <Card title={strings.quality.title}>
      <div className={styles.score}>
        <strong className="tabular" data-grade={quality.grade}>
          {quality.score}
        </strong>
        <span>
          {strings.quality.grade(quality.grade)}
          <span className={common.small}>{strings.quality.completeness(quality.completeness)}</span>
        </span>
      </div>
      {failed.length > 0 && (
        <ul className={styles.rules} aria-label={strings.quality.failedRules}>
          {failed.map((rule) => (
            <FailedRule key={rule.code} rule={rule} project={project} product={product} />
          ))}
        </ul>
      )}
      {passed.length > 0 && (
        <details className={styles.passed}>
          <summary>{strings.quality.passedRules(passed.length, quality.rules.length)}</summary>
          <ul>
            {passed.map(({ code, points }) => (
              <li key={code}>
                <Icon name="check" size={14} /> {ruleName(code)}
                <span className="tabular">{points}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  )
})

function FailedRule({ rule, project, product }: Omit<Props, 'quality'> & { rule: Rule }) {
  const { canWrite } = usePermissions()
  const { code, field, points, max_points, message } = rule
  const target = { project, count: 1, products: { products: [product] }, field }
  return (
    <li>
      <p>
        <strong>{ruleName(code)}</strong>
        <span className="tabular">{strings.quality.points(points, max_points)}</span>
      </p>
      <p className={common.small}>{message}</p>
      {field !== '' && canWrite && (
        <Button
          variant="subtle"
          size="compact-xs"
          className={styles.jump ?? ''}
          rightSection={<Icon name="chevron" size={12} />}
          onClick={() => focusField(field)}
        >
          {strings.quality.goTo(fieldLabel(field))}
          <span className="unseen"> {strings.quality.forRule(ruleName(code))}</span>
        </Button>
      )}
      {isWritable(field) && (
        <WriteButton target={target} size="compact-xs" purpose={strings.quality.forRule(ruleName(code))} />
      )}
    </li>
  )
}
