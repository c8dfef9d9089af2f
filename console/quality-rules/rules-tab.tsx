import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import attributes from '../attributes/attributes.module.css'
import { ProgressBar } from '../parts/charts/progress-bar.tsx'
import { ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { LeaveDialog } from '../parts/dialogs/leave-dialog.tsx'
import { Icon } from '../parts/icons.tsx'
import { DataTable } from '../parts/lists/data-table.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { notifySuccess } from '../parts/notify.ts'
import { Card } from '../parts/page.tsx'
import { allRules, qualityRulesQuery } from '../products/queries.ts'
import type { QualityRule, QualityRules } from '../wire.ts'
import { resetRules } from './changes.ts'
import styles from './preview-card.module.css'
import { PreviewCard } from './preview-card.tsx'
import { ruleColumns } from './rule-columns.tsx'
import { RuleDialog } from './rule-dialog.tsx'
import { emptyRule } from './rule-form.ts'
import { strings } from './strings.ts'
import { useRulesDraft } from './use-rules-draft.ts'

type Props = { project: number; isManager: boolean }

/** The rules of the quality score. */
export function RulesTab({ project, isManager }: Props) {
  const query = useQuery({
    ...qualityRulesQuery(project),
    // Poll until all products are scored.
    refetchInterval: ({ state }) => (state.data?.progress ? 2_000 : false),
  })
  return (
    <div className={attributes.panel}>
      {query.data === undefined ? (
        <Card title={strings.rules.title} flush>
          <Loaded query={query} rows={9}>
            {() => null}
          </Loaded>
        </Card>
      ) : (
        <Rules project={project} isManager={isManager} saved={query.data} />
      )}
    </div>
  )
}

function Rules({ project, isManager, saved }: Props & { saved: QualityRules }) {
  const draft = useRulesDraft(project, saved.rules)
  const [edited, edit] = useState<{ index: number; rule: QualityRule }>()
  const [isResetting, reset] = useState(false)
  const { rules } = draft
  const added = saved.added_rules.filter(({ kind }) => rules.every((rule) => rule.kind !== kind))
  const effective = [...rules, ...added]
  const change = {
    // Editing a rule that the service added makes it one of the project's rules.
    edit: (rule: QualityRule) => edit({ index: effective.indexOf(rule), rule }),
    remove: (rule: QualityRule) => draft.tryOut(rules.filter((one) => one !== rule)),
  }
  const columns = ruleColumns({
    project,
    change: isManager ? change : undefined,
    isAdded: (rule) => added.includes(rule),
    isSaved: (code) => allRules(saved).some((one) => one.code === code),
  })
  const points = effective.reduce((sum, one) => sum + one.points, 0)
  return (
    <>
      {draft.preview !== undefined && (
        <PreviewCard
          project={project}
          preview={draft.preview}
          problem={draft.problem}
          actions={
            <>
              <Button variant="default" onClick={draft.discard} disabled={draft.isSaving}>
                {strings.preview.discard}
              </Button>
              <Button onClick={draft.save} loading={draft.isSaving}>
                {strings.preview.save}
              </Button>
            </>
          }
        />
      )}
      {draft.isChanged && <LeaveDialog isDirty isOfSearch />}
      <Card
        title={strings.rules.title}
        lead={strings.rules.lead(effective.length, points)}
        flush
        actions={
          isManager && (
            <Actions add={() => edit({ index: rules.length, rule: emptyRule })} reset={() => reset(true)} />
          )
        }
      >
        {saved.progress !== null && (
          <div className={styles.progress}>
            <ProgressBar
              label={strings.rules.scoring}
              done={saved.progress.scored}
              total={saved.progress.products}
            />
          </div>
        )}
        <DataTable
          label={strings.rules.title}
          columns={columns}
          rows={effective}
          rowId={({ code }) => code}
        />
      </Card>
      {edited !== undefined && (
        <RuleDialog
          project={project}
          rules={rules}
          {...edited}
          done={(next, preview) => {
            draft.set(next, preview)
            edit(undefined)
          }}
          close={() => edit(undefined)}
        />
      )}
      {isResetting && <ResetDialog project={project} close={() => reset(false)} discard={draft.discard} />}
    </>
  )
}

function Actions({ add, reset }: { add: () => void; reset: () => void }) {
  return (
    <>
      <Button variant="default" onClick={reset}>
        {strings.rules.reset}
      </Button>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={add}>
        {strings.rules.new}
      </Button>
    </>
  )
}

function ResetDialog({
  project,
  close,
  discard,
}: {
  project: number
  close: () => void
  discard: () => void
}) {
  const queries = useQueryClient()
  return (
    <ConfirmDialog
      title={strings.reset.title}
      action={strings.reset.action}
      danger
      close={close}
      run={async () => {
        await resetRules(project)
        discard()
        notifySuccess(strings.reset.done)
        void queries.invalidateQueries({ queryKey: ['project', project] })
        close()
      }}
    >
      {strings.reset.text}
    </ConfirmDialog>
  )
}
