import { Anchor, Button, NativeSelect, TextInput } from '@mantine/core'
import { Icon } from '../../parts/icons.tsx'
import { usePictureAddress } from '../../parts/pictures/picture-source.ts'
import type { MediaItem } from '../../wire.ts'
import { RowButton } from '../cards/row-button.tsx'
import { strings } from '../strings.ts'
import styles from './media.module.css'
import { StoreCopy } from './store-copy.tsx'
import { firstFieldId, type MediaList } from './use-media-list.ts'

type Props = {
  id: string
  project: number
  item: MediaItem
  index: number
  count: number
  errorOf: (field: string) => string | undefined
  list: MediaList
}

const kinds = (['image', 'document', 'video'] as const).map((value) => ({
  value,
  label: strings.media.kinds[value],
}))
const moveId = (by: -1 | 1) => `media-move:${by}`

/** The fields of the open item, and what the user can do with it. */
export function MediaFields({ id, project, item, index, count, errorOf, list }: Props) {
  const name = strings.media.position(strings.media.kinds[item.kind], index + 1, count)
  return (
    <section
      id={id}
      aria-label={name}
      className={styles.panel}
      onKeyDown={(event) => {
        if (event.key === 'Escape') list.close(index)
      }}
    >
      <div className={styles.panelHead}>
        <h3>{name}</h3>
        <div className={styles.buttons}>
          {([-1, 1] as const).map((by) => (
            <RowButton
              key={by}
              id={moveId(by)}
              icon={by < 0 ? 'arrowLeft' : 'arrowRight'}
              label={by < 0 ? strings.media.moveUp(index + 1) : strings.media.moveDown(index + 1)}
              isOff={index + by < 0 || index + by >= count}
              run={() => list.move(index, index + by, moveId(by))}
            />
          ))}
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="cross" size={14} />}
            aria-label={strings.media.remove(index + 1)}
            onClick={() => list.remove(index)}
          >
            {strings.media.removeShort}
          </Button>
        </div>
      </div>
      <ItemFields item={item} index={index} errorOf={errorOf} change={(next) => list.replace(index, next)} />
      {item.asset === undefined ? (
        <StoreCopy project={project} item={item} change={(next) => list.replace(index, next)} />
      ) : (
        <OpenFile item={item} />
      )}
    </section>
  )
}

type ItemProps = Pick<Props, 'item' | 'index' | 'errorOf'> & { change: (item: MediaItem) => void }

function ItemFields({ item, index, errorOf, change }: ItemProps) {
  const place = index + 1
  const isExternal = item.asset === undefined
  const text = (field: 'url' | 'alt' | 'title', label: string) => ({
    label,
    'aria-label': strings.media.fieldOf(label, place),
    value: item[field] ?? '',
    error: errorOf(field),
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      change({ ...item, [field]: field !== 'url' && value === '' ? null : value }),
  })
  return (
    <div className={styles.fields}>
      {isExternal && (
        <>
          <TextInput
            {...text('url', strings.media.url)}
            id={firstFieldId(index)}
            type="url"
            inputMode="url"
            placeholder={strings.media.urlPlaceholder}
            className={styles.url ?? ''}
          />
          <NativeSelect
            label={strings.media.kind}
            aria-label={strings.media.fieldOf(strings.media.kind, place)}
            data={kinds}
            value={item.kind}
            error={errorOf('kind')}
            onChange={({ currentTarget }) =>
              change({ ...item, kind: currentTarget.value as MediaItem['kind'] })
            }
          />
        </>
      )}
      <TextInput
        {...text('alt', strings.media.alt)}
        {...(!isExternal && { id: firstFieldId(index), error: errorOf('alt') ?? errorOf('asset') })}
        placeholder={strings.media.altPlaceholder}
        className={styles.wide ?? ''}
      />
      <TextInput
        {...text('title', strings.media.itemTitle)}
        placeholder={strings.media.noTitle}
        className={styles.wide ?? ''}
      />
    </div>
  )
}

/** A link to the largest size of an image, or to the file. */
function OpenFile({ item }: { item: MediaItem }) {
  const address = usePictureAddress(item)
  return (
    <Anchor
      href={item.kind === 'image' && address !== undefined ? address(2048) : item.url}
      target="_blank"
      rel="noreferrer"
      className={styles.full ?? ''}
    >
      {item.kind === 'image' ? strings.media.openImage : strings.media.openFile}
    </Anchor>
  )
}
