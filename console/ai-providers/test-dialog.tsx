import { Alert, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import dialog from '../parts/dialogs/dialogs.module.css'
import { ActionDialog } from '../parts/dialogs/dialogs.tsx'
import { Icon } from '../parts/icons.tsx'
import { ProblemAlert } from '../parts/problem.tsx'
import type { AiProvider, ProviderFindings } from '../wire.ts'
import styles from './ai-providers.module.css'
import { testProvider } from './changes.ts'
import { strings } from './strings.ts'

type Props = { project: number; provider: AiProvider; refresh: () => void; close: () => void }

/** Calls each model and shows what works. */
export function TestDialog({ project, provider: { name, models }, refresh, close }: Props) {
  const test = useMutation({ mutationFn: () => testProvider(project, name), onSuccess: refresh })
  return (
    <ActionDialog title={strings.test.title(name)} size="lg" isPending={test.isPending} close={close}>
      <div className={dialog.body}>
        <div>{strings.test.text(models.length)}</div>
        {test.error !== null && <ProblemAlert error={test.error} />}
        {test.data !== undefined && !test.isPending && <Findings findings={test.data} />}
        <div className={dialog.buttons}>
          <Button variant="default" onClick={close} disabled={test.isPending}>
            {strings.test.close}
          </Button>
          <Button loading={test.isPending} onClick={() => test.mutate()} data-autofocus>
            {test.data === undefined ? strings.test.start : strings.test.again}
          </Button>
        </div>
      </div>
    </ActionDialog>
  )
}

export function doesWork(findings: ProviderFindings): boolean {
  return findings.reachable && withoutJson(findings).length === 0
}

function withoutJson({ models }: ProviderFindings): string[] {
  return models
    .filter(({ json_schema, json_object, plain }) => !(json_schema || json_object || plain))
    .map(({ name }) => name)
}

function summaryOf(findings: ProviderFindings): [title: string, text: string] {
  if (!findings.reachable) return [strings.test.unreachable, strings.test.unreachableHint]
  if (!doesWork(findings))
    return [strings.test.noJson(withoutJson(findings).join(', ')), strings.test.noJsonHint]
  return [strings.test.works, findings.usage ? '' : strings.test.noUsage]
}

function Findings({ findings }: { findings: ProviderFindings }) {
  const isGood = doesWork(findings)
  const [title, text] = summaryOf(findings)
  return (
    <>
      <Alert
        color={isGood ? 'accent' : 'red'}
        role="status"
        icon={<Icon name={isGood ? 'check' : 'alert'} />}
        title={title}
      >
        {text}
      </Alert>
      <ul className={styles.findings} aria-label={strings.test.results}>
        {(Object.keys(strings.test.findings) as (keyof typeof strings.test.findings)[]).map((one) => (
          <li key={one}>
            <span className={findings[one] ? styles.yes : styles.no}>
              <Icon name={findings[one] ? 'check' : 'cross'} size={16} />
            </span>
            {strings.test.findings[one][findings[one] ? 0 : 1]}
          </li>
        ))}
      </ul>
    </>
  )
}
