import { Alert, Anchor, Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { runLimits } from '../../../src/model/limits/runs.ts'
import { NoProvider } from '../../ai-providers/no-provider.tsx'
import { runModelsQuery } from '../../ai-providers/queries.ts'
import { marketLabel } from '../../markets/labels.ts'
import { useMarkets } from '../../markets/use-markets.ts'
import { randomKey } from '../../network.ts'
import dialog from '../../parts/dialogs/dialogs.module.css'
import { ActionDialog } from '../../parts/dialogs/dialogs.tsx'
import { Form, useSubmission } from '../../parts/forms/form.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { notifySuccess } from '../../parts/notify.ts'
import { ProblemAlert } from '../../parts/problem.tsx'
import { promptsQuery } from '../../products/queries.ts'
import type { RunCreate, RunModels, RunPreview } from '../../wire.ts'
import { previewRun, startRun } from '../changes.ts'
import styles from '../prompt-runs.module.css'
import { Preview } from './preview.tsx'
import { PromptFields } from './prompt-fields.tsx'
import { CostFields, FieldBoxes } from './run-fields.tsx'
import { strings } from './strings.ts'
import type { Target } from './target.ts'
import { pricedModels, requestOf, useWriteForm } from './write-form.ts'

type Props = { target: Target; close: () => void }

/** Asks what to write and shows a preview, then starts a run. */
export function WriteDialog({ target, close }: Props) {
  const models = useQuery(runModelsQuery(target.project))
  const prompts = useQuery(promptsQuery(target.project, ''))
  const isReady = models.data?.some(({ state }) => state === 'enabled') && prompts.data !== undefined
  if (isReady && models.data !== undefined && (prompts.data?.count ?? 0) > 0)
    return <Writing target={target} providers={models.data} close={close} />
  return (
    <ActionDialog title={strings.title(target.count)} size="lg" isPending={false} close={close}>
      <div className={dialog.body}>
        <Loaded query={models}>
          {(providers) =>
            isReady ? (
              <NoPrompts project={target.project} />
            ) : (
              <NoProvider project={target.project} isDisabled={providers.length > 0} />
            )
          }
        </Loaded>
        <div className={dialog.buttons}>
          <Button variant="default" onClick={close} data-autofocus>
            {strings.close}
          </Button>
        </div>
      </div>
    </ActionDialog>
  )
}

function NoPrompts({ project }: { project: number }) {
  return (
    <div>
      {strings.noPrompts}{' '}
      <Anchor component={Link} to={`/projects/${project}/prompts/new`}>
        {strings.newPrompt}
      </Anchor>
    </div>
  )
}

/** `key`: a repeated request starts no second run. */
type Previewed = { prompt: number; request: RunCreate; preview: RunPreview; key: string }
type WritingProps = Props & { providers: RunModels['results'] }

function Writing({ target, providers, close }: WritingProps) {
  const { project, count } = target
  const { markets } = useMarkets()
  const models = pricedModels(providers)
  const form = useWriteForm(target, models)
  const [previewed, setPreviewed] = useState<Previewed>()
  const fields = useRef<HTMLDivElement>(null)
  const submission = useSubmission(
    form,
    async (values): Promise<Previewed> => {
      const [prompt, request] = [Number(values.prompt), requestOf(values, target, models)]
      return { prompt, request, preview: await previewRun(project, prompt, request), key: randomKey() }
    },
    setPreviewed,
  )
  const starting = useStart(project, close)
  const back = () => {
    setPreviewed(undefined)
    starting.reset()
    requestAnimationFrame(() => fields.current?.focus())
  }
  return (
    <ActionDialog
      title={strings.title(count)}
      size="lg"
      isPending={submission.isPending || starting.isPending}
      isFilled={form.isDirty()}
      close={close}
    >
      <div ref={fields} tabIndex={-1} hidden={previewed !== undefined} className={styles.fields}>
        <Form submission={submission} action={strings.preview} cancel={close}>
          <p className={styles.note}>
            {strings.hint}{' '}
            {target.market !== undefined && strings.inMarket(marketLabel(target.market, markets))}
          </p>
          {count > runLimits.products && (
            <Alert color="yellow" icon={<Icon name="alert" />}>
              {strings.tooMany(runLimits.products)}
            </Alert>
          )}
          <PromptFields project={project} form={form} />
          <FieldBoxes project={project} form={form} />
          <CostFields form={form} models={models} isOne={count === 1} />
        </Form>
      </div>
      {previewed !== undefined && (
        <div className={dialog.body}>
          {starting.error !== null && <ProblemAlert error={starting.error} />}
          <Preview project={project} preview={previewed.preview} budget={previewed.request.budget} />
          <div className={dialog.buttons}>
            <Button variant="default" disabled={starting.isPending} onClick={back}>
              {strings.back}
            </Button>
            <Button loading={starting.isPending} onClick={() => starting.mutate(previewed)}>
              {strings.start}
            </Button>
          </div>
        </div>
      )}
    </ActionDialog>
  )
}

/** Starts the run and opens it. */
function useStart(project: number, close: () => void) {
  const router = useRouter()
  return useMutation({
    mutationFn: ({ prompt, request, key }: Previewed) => startRun(project, prompt, request, key),
    onSuccess: ({ id }) => {
      close()
      notifySuccess(strings.started)
      router.history.push(`/projects/${project}/runs/${id}`)
    },
  })
}
