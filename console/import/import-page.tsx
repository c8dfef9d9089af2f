import { Button } from '@mantine/core'
import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { LeaveDialog } from '../parts/dialogs/leave-dialog.tsx'
import { Empty } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import type { SessionProject } from '../wire.ts'
import { FileDrop } from './file/file-drop.tsx'
import { FileFacts } from './file/file-facts.tsx'
import { recordsOf } from './file/open-file.ts'
import { type Chosen, useFile } from './file/use-file.ts'
import styles from './import.module.css'
import { linesBy, slicesOf } from './lines.ts'
import { mappingErrors } from './mapping.ts'
import { MappingCard } from './mapping-card.tsx'
import { ImportPreviewCard } from './preview-card.tsx'
import { ProposeCard } from './propose-card.tsx'
import { RejectedCard } from './rejected-card.tsx'
import { ResultCard } from './result-card.tsx'
import { RunCard } from './run-card.tsx'
import { storeMapping } from './stored-mapping.ts'
import { strings } from './strings.ts'
import { type Running, useRun } from './use-run.ts'
import { ZipImport } from './zip/zip-import.tsx'

export function ImportPage() {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  const { canWrite } = usePermissions()
  if (!canWrite)
    return (
      <Page title={strings.page.title} lead={strings.page.lead}>
        <Card title={strings.page.noPermission}>
          <Empty title={strings.page.noPermissionTitle}>{strings.page.noPermissionHint}</Empty>
        </Card>
      </Page>
    )
  // Another project starts without a file.
  return <Import key={project.id} project={project} />
}

function Import({ project }: { project: SessionProject }) {
  const { chosen, error, isOpening, choose, map, forget } = useFile(project.id)
  const running = useRun(project.id)
  const { run } = running
  const startOver = () => {
    forget()
    setZip(undefined)
    running.forget()
  }
  const [zip, setZip] = useState<File>()
  const canStartOver = (chosen !== undefined && run?.state !== 'sending') || zip !== undefined
  return (
    <Page
      title={strings.page.title}
      lead={strings.page.lead}
      actions={
        canStartOver && (
          <Button variant="default" onClick={startOver}>
            {run === undefined ? strings.page.selectAnother : strings.page.importAnother}
          </Button>
        )
      }
    >
      <div className={styles.page}>
        {chosen === undefined && zip === undefined && (
          <FileDrop
            choose={(file) => (isZip(file) ? setZip(file) : void choose(file))}
            isOpening={isOpening}
            error={error}
          />
        )}
        {zip !== undefined && <ZipImport project={project.id} file={zip} />}
        {chosen !== undefined && <FileFacts opened={chosen.opened} />}
        {chosen !== undefined && run === undefined && (
          <Prepare project={project.id} chosen={chosen} map={map} start={running.start} />
        )}
        {chosen !== undefined && run !== undefined && (
          <Sent project={project} chosen={chosen} running={running} />
        )}
      </div>
      <LeaveDialog
        isDirty={run?.state === 'sending' || run?.state === 'stopped'}
        title={strings.leave.title}
        text={strings.leave.text}
        action={strings.leave.action}
      />
    </Page>
  )
}

const isZip = ({ name }: File) => /\.zip$/i.test(name)

type PrepareProps = Pick<Running, 'start'> & {
  project: number
  chosen: Chosen
  map: (mapping: readonly string[]) => void
}

function Prepare({ project, chosen, map, start }: PrepareProps) {
  const { opened, mapping } = chosen
  const isCsv = opened.form.format === 'csv'
  const isReady = !isCsv || mappingErrors(mapping, opened.header).size === 0
  return (
    <>
      {isCsv && <MappingCard project={project} chosen={chosen} map={map} />}
      {isReady && <ImportPreviewCard chosen={chosen} />}
      <ProposeCard
        fileName={opened.file.name}
        isReady={isReady}
        propose={(options) => {
          if (isCsv) storeMapping(project, opened.header, mapping)
          const { size } = opened.file
          void start({ ...options, size, slices: recordsOf(opened), linesOf: linesBy(opened, mapping) })
        }}
      />
    </>
  )
}

type SentProps = { project: SessionProject; chosen: Chosen; running: Running }

function Sent({ project, chosen, running }: SentProps) {
  const { run, start, cancel, resume, forget } = running
  const { canManage } = usePermissions()
  if (run === undefined) return null
  const { opened, mapping } = chosen
  return (
    <>
      <RunCard run={run} cancel={cancel} resume={resume} backToColumns={forget} />
      <ResultCard
        project={project.id}
        proposals={run.proposals}
        repeated={run.repeated}
        isManager={canManage}
        isDone={run.state === 'done'}
      />
      <RejectedCard
        chosen={chosen}
        rejected={run.rejected}
        isBusy={run.state !== 'done'}
        again={(records) =>
          void start({
            title: strings.propose.fixedTitle(run.title),
            mode: run.mode,
            size: 0,
            slices: slicesOf(records),
            linesOf: linesBy(opened, mapping),
          })
        }
      />
    </>
  )
}
