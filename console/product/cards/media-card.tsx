import { Button, NativeSelect, TextInput } from '@mantine/core'
import { memo } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { Card } from '../../parts/page.tsx'
import type { MediaItem } from '../../wire.ts'
import { errorUnder, type FieldErrors } from '../draft/field-errors.ts'
import type { Change } from '../draft/use-draft.ts'
import { fieldId, focusField, focusSoon } from '../focus-field.ts'
import styles from '../product.module.css'
import { strings } from '../strings.ts'
import { MediaPicture } from './media-picture.tsx'
import { RowButton } from './row-button.tsx'
import rows from './rows.module.css'

type Props = { media: MediaItem[]; fieldErrors: FieldErrors; change: Change }

const kinds = [
  { value: 'image', label: strings.media.kinds.image },
  { value: 'document', label: strings.media.kinds.document },
  { value: 'video', label: strings.media.kinds.video },
]
const buttonId = (index: number, by: -1 | 1) => `move:${index}:${by}`
const empty: MediaItem = { url: '', kind: 'image', alt: null, title: null }

/** Images, documents and videos by URL, in order. */
export const MediaCard = memo(function MediaCard({ media, fieldErrors, change }: Props) {
  const set = (next: MediaItem[]) => change('media', { media: next })
  const move = (from: number, by: -1 | 1) => {
    const next = [...media]
    next.splice(from + by, 0, ...next.splice(from, 1))
    set(next)
    focusSoon(buttonId(from + by, by))
  }
  const remove = (index: number) => {
    set(media.filter((_, place) => place !== index))
    focusField('media')
  }
  return (
    <Card title={strings.media.title} lead={strings.media.lead}>
      <ol className={styles.rows} aria-label={strings.media.list}>
        {media.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an address is edited in its place, and two may be the same
          <li key={index} className={rows.medium}>
            <MediaPicture item={item} />
            <MediaFields
              item={item}
              place={index + 1}
              errorOf={(field) => errorUnder(fieldErrors, `/media/${index}/${field}`)}
              change={(next) => set(media.map((one, place) => (place === index ? next : one)))}
            />
            <div className={rows.rowButtons}>
              <RowButton
                id={buttonId(index, -1)}
                icon="arrowUp"
                label={strings.media.moveUp(index + 1)}
                isOff={index === 0}
                run={() => move(index, -1)}
              />
              <RowButton
                id={buttonId(index, 1)}
                icon="arrowDown"
                label={strings.media.moveDown(index + 1)}
                isOff={index === media.length - 1}
                run={() => move(index, 1)}
              />
              <RowButton icon="cross" label={strings.media.remove(index + 1)} run={() => remove(index)} />
            </div>
          </li>
        ))}
      </ol>
      {fieldErrors['/media'] !== undefined && <p className={styles.fieldError}>{fieldErrors['/media']}</p>}
      <Button
        id={fieldId('media')}
        variant="default"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => set([...media, empty])}
      >
        {strings.media.add}
      </Button>
    </Card>
  )
})

type FieldsProps = {
  item: MediaItem
  place: number
  errorOf: (field: string) => string | undefined
  change: (item: MediaItem) => void
}

function MediaFields({ item, place, errorOf, change }: FieldsProps) {
  const text = (field: 'url' | 'alt' | 'title', label: string) => ({
    label,
    'aria-label': strings.media.fieldOf(label, place),
    value: item[field] ?? '',
    error: errorOf(field),
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      change({ ...item, [field]: field !== 'url' && value === '' ? null : value }),
  })
  return (
    <div className={rows.mediumFields}>
      <NativeSelect
        label={strings.media.kind}
        aria-label={strings.media.fieldOf(strings.media.kind, place)}
        data={kinds}
        value={item.kind}
        error={errorOf('kind')}
        onChange={({ currentTarget }) => change({ ...item, kind: currentTarget.value as MediaItem['kind'] })}
      />
      <TextInput
        {...text('url', strings.media.url)}
        type="url"
        inputMode="url"
        placeholder={strings.media.urlPlaceholder}
      />
      <TextInput {...text('alt', strings.media.alt)} placeholder={strings.media.altPlaceholder} />
      <TextInput {...text('title', strings.media.itemTitle)} placeholder={strings.media.noTitle} />
    </div>
  )
}
