import { Anchor, Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MediaFile } from '../../src/console-api/media/media-files.schema.ts'
import { CopyButton } from '../parts/copy.tsx'
import { ActionDialog, ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { Facts } from '../parts/facts.tsx'
import { bytesText } from '../parts/format/bytes-text.ts'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { notifySuccess } from '../parts/notify.ts'
import { usePermissions } from '../parts/permissions.ts'
import { Picture } from '../parts/pictures/picture.tsx'
import { ProductLink } from '../product/product-link.tsx'
import { deleteFile, eraseFile } from './changes.ts'
import { FileTags, fileIcons } from './file-grid.tsx'
import styles from './media.module.css'
import { filesKey, usesQuery } from './queries.ts'
import { strings } from './strings.ts'

type Props = { project: number; file: MediaFile; close: () => void }

/** One file with its facts and the products that show it. */
export function FileDetails({ project, file, close }: Props) {
  const { canWrite, canManage } = usePermissions()
  const [asked, ask] = useState<'delete' | 'erase'>()
  const { id, url, kind, state, named } = file
  if (asked !== undefined)
    return (
      <RemoveDialog how={asked} project={project} file={file} back={() => ask(undefined)} close={close} />
    )
  return (
    <ActionDialog title={strings.tile.kinds[kind]} isPending={false} size="lg" close={close}>
      <div className={styles.details}>
        <div className={styles.shown}>
          <Picture
            file={kind === 'image' ? { asset: id, url } : undefined}
            form="large"
            icon={fileIcons[kind]}
          />
          <FileTags file={file} />
        </div>
        <div className={styles.about}>
          {state === 'failed' && <p>{strings.details.failed}</p>}
          <FileFacts project={project} file={file} />
          <Uses project={project} file={file} />
        </div>
      </div>
      {canWrite && (
        <div className={styles.foot}>
          {named > 0 && <span>{strings.details.cannotDelete}</span>}
          {named > 0 && canManage && (
            <Button variant="default" onClick={() => ask('erase')}>
              {strings.erase.open}
            </Button>
          )}
          <Button variant="default" disabled={named > 0} onClick={() => ask('delete')}>
            {strings.details.delete}
          </Button>
        </div>
      )}
    </ActionDialog>
  )
}

function FileFacts({ project, file }: { project: number; file: MediaFile }) {
  const { id, url, width, height, bytes, mime, created_at } = file
  return (
    <Facts
      facts={{
        ...(width !== null &&
          height !== null && { [strings.details.dimensions]: strings.details.pixels(width, height) }),
        [strings.details.size]: bytesText(bytes),
        [strings.details.type]: mime,
        [strings.details.uploaded]: <RelativeTime at={created_at} />,
        [strings.details.id]: (
          <span className={styles.copied}>
            <code>{id}</code>
            <CopyButton text={id} label={strings.details.copyId} />
          </span>
        ),
        [strings.details.url]: (
          <span className={styles.copied}>
            <code>{new URL(url).pathname}</code>
            <CopyButton text={url} label={strings.details.copyUrl} />
          </span>
        ),
        [strings.details.original]: (
          <Anchor href={`/console/api/projects/${project}/assets/${id}/content`} download>
            {strings.details.download}
          </Anchor>
        ),
      }}
      className={styles.factList}
    />
  )
}

function Uses({ project, file: { id, named } }: { project: number; file: MediaFile }) {
  const query = useQuery({ ...usesQuery(project, id), enabled: named > 0 })
  if (named === 0) return <p className={styles.hint}>{strings.details.notShown}</p>
  return (
    <section>
      <h3>{strings.details.shownBy}</h3>
      <Loaded query={query} rows={2}>
        {({ products, has_more }) =>
          products.length === 0 ? (
            <p className={styles.hint}>{strings.details.onlyPast}</p>
          ) : (
            <ul className={styles.uses}>
              {products.map(({ id: product, sku, name, alt }) => (
                <li key={product}>
                  <ProductLink project={project} id={product}>
                    <bdi>{name}</bdi>
                  </ProductLink>
                  <code>{sku}</code>
                  <span className={styles.hint}>
                    <bdi>{alt ?? strings.details.noAlt}</bdi>
                  </span>
                </li>
              ))}
              {has_more && <li className={styles.hint}>{strings.details.more}</li>}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

const removals = { delete: deleteFile, erase: eraseFile }

type RemoveProps = Props & { how: keyof typeof removals; back: () => void }

function RemoveDialog({ how, project, file: { id, url, kind }, back, close }: RemoveProps) {
  const queries = useQueryClient()
  return (
    <ConfirmDialog
      title={strings[how].title}
      action={strings[how].action}
      danger
      close={back}
      run={async () => {
        await removals[how](project, id)
        await queries.invalidateQueries({ queryKey: filesKey(project) })
        notifySuccess(strings[how].done)
        close()
      }}
    >
      <div className={styles.deleted}>
        <Picture
          file={kind === 'image' ? { asset: id, url } : undefined}
          form="line"
          icon={fileIcons[kind]}
        />
        <span>{strings[how].text}</span>
      </div>
    </ConfirmDialog>
  )
}
