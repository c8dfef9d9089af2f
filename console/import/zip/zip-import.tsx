import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { LeaveDialog } from '../../parts/dialogs/leave-dialog.tsx'
import { numberText } from '../../parts/format/number-text.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { usePermissions } from '../../parts/permissions.ts'
import { ProblemAlert } from '../../parts/problem.tsx'
import styles from '../import.module.css'
import { ProposalTitleInput, useProposalTitle } from '../proposal-title.tsx'
import { ResultCard } from '../result-card.tsx'
import { strings } from '../strings.ts'
import { NameList } from './name-list.tsx'
import { readImages, type ZipImages } from './read-images.ts'
import { useZipRun, type ZipRun } from './use-zip-run.ts'

type Props = { project: number; file: File }

/** Images in a zip file that are named by SKU. They are uploaded, and become a proposal. */
export function ZipImport({ project, file }: Props) {
  const query = useQuery({
    queryKey: ['import-zip', project, useId()],
    queryFn: ({ signal }) => readImages(project, file, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  return (
    <Loaded query={query} rows={3}>
      {(images) => <Images project={project} file={file} images={images} />}
    </Loaded>
  )
}

function Images({ project, file, images }: Props & { images: ZipImages }) {
  const zip = useZipRun(project, images.products)
  const { canManage } = usePermissions()
  const { data, isPending, isError } = zip.run
  return (
    <>
      {data === undefined ? (
        <Proposing file={file} images={images} zip={zip} />
      ) : (
        <ResultCard project={project} proposals={data.proposals} isManager={canManage} isDone />
      )}
      {data !== undefined && data.rejected.length > 0 && (
        <Card
          title={strings.zip.rejected(data.rejected.length)}
          lead={data.proposals.length === 0 ? strings.zip.allRejectedLead : strings.zip.rejectedLead}
        >
          <NameList names={data.rejected.map(({ name, reason }) => `${name}: ${reason}`)} />
        </Card>
      )}
      {images.leftOver.length > 0 && (
        <Card title={strings.zip.leftOver(images.leftOver.length)} lead={strings.zip.leftOverLead}>
          <NameList names={images.leftOver} />
        </Card>
      )}
      {images.ignored.length > 0 && (
        <Card title={strings.zip.ignored(images.ignored.length)} lead={strings.zip.ignoredLead}>
          <NameList names={images.ignored} />
        </Card>
      )}
      <LeaveDialog
        isDirty={isPending || isError}
        title={strings.leave.title}
        text={strings.zip.leave}
        action={strings.leave.action}
      />
    </>
  )
}

function Proposing({ file, images, zip }: { file: File; images: ZipImages; zip: ZipRun }) {
  const { products, imageCount } = images
  const { run, uploaded, cancel } = zip
  const named = useProposalTitle(strings.zip.defaultTitle(file.name))
  const { title } = named
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (title !== undefined && !run.isPending) run.mutate(title)
  }
  if (imageCount === 0) return <p className={styles.dim}>{strings.zip.noProducts}</p>
  return (
    <Card
      title={strings.zip.title(imageCount, products.length)}
      lead={strings.zip.lead}
      actions={
        run.isPending && (
          <Button variant="default" onClick={cancel}>
            {strings.run.cancel}
          </Button>
        )
      }
    >
      <form onSubmit={submit} className={styles.form}>
        {run.isError && <ProblemAlert title={strings.run.failed} error={run.error} />}
        {run.isPending ? (
          <div className={styles.progress}>
            <progress aria-label={strings.run.progress} value={uploaded} max={imageCount} />
            <span className="tabular" role="status">
              {strings.zip.uploading(numberText(uploaded), numberText(imageCount))}
            </span>
          </div>
        ) : (
          <>
            <ProposalTitleInput {...named} />
            <div>
              <Button type="submit" disabled={title === undefined}>
                {strings.zip.submit}
              </Button>
            </div>
          </>
        )}
      </form>
    </Card>
  )
}
