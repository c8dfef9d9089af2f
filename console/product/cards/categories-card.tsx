import { Autocomplete, Pill } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { memo, useState } from 'react'
import { Card } from '../../parts/page.tsx'
import type { Category, Provenance } from '../../wire.ts'
import type { CategoryDraft } from '../draft/draft.ts'
import { errorAt, errorUnder, type FieldErrors } from '../draft/field-errors.ts'
import type { Change } from '../draft/use-draft.ts'
import { fieldId, focusField } from '../focus-field.ts'
import styles from '../product.module.css'
import { WrittenBy } from '../provenance.tsx'
import { categorySearchQuery } from '../queries.ts'
import { strings } from '../strings.ts'

type Props = {
  project: number
  categories: CategoryDraft[]
  fieldErrors: FieldErrors
  provenance: Provenance
  change: Change
}

const separator = ' › '
const pathText = (category: CategoryDraft) =>
  'id' in category ? category.name : category.path.join(separator)

export const CategoriesCard = memo(function CategoriesCard({
  project,
  categories,
  fieldErrors,
  provenance,
  change,
}: Props) {
  const set = (next: CategoryDraft[]) => change('categories', { categories: next })
  const add = (category: CategoryDraft) => {
    if (!categories.some((one) => isSame(one, category))) set([...categories, category])
  }
  const remove = (category: CategoryDraft) => {
    set(categories.filter((one) => one !== category))
    focusField('categories')
  }
  return (
    <Card title={strings.categories.title}>
      <div className={styles.fields}>
        {categories.length > 0 && (
          <ul className={styles.chips} aria-label={strings.categories.list}>
            {categories.map((category, index) => (
              <li key={'id' in category ? category.id : category.path.join('/')}>
                <Pill
                  size="md"
                  withRemoveButton
                  className={errorUnder(fieldErrors, `/categories/${index}`) && styles.wrongChip}
                  removeButtonProps={{
                    'aria-label': strings.categories.remove(pathText(category)),
                    'aria-hidden': false,
                    tabIndex: 0,
                  }}
                  onRemove={() => remove(category)}
                >
                  <bdi>{pathText(category)}</bdi>
                  {'path' in category && <span className={styles.small}> {strings.categories.new}</span>}
                </Pill>
              </li>
            ))}
          </ul>
        )}
        <CategorySearch project={project} add={add} fieldError={errorAt(fieldErrors, 'categories')} />
        <p className={styles.note}>
          <WrittenBy provenance={provenance} field="categories" />
        </p>
      </div>
    </Card>
  )
})

type SearchProps = { project: number; add: (category: CategoryDraft) => void; fieldError: string | undefined }

/** Searches categories on the server. The user can create a name or path that does not exist yet. */
function CategorySearch({ project, add, fieldError }: SearchProps) {
  const [text, setText] = useState('')
  const path = text
    .split(/[›>]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const typed = path.at(-1) ?? ''
  const [search] = useDebouncedValue(typed, 200)
  const [isUsed, setUsed] = useState(false)
  const found = useQuery({ ...categorySearchQuery(project, search), enabled: isUsed })
  // Results of the previous search remain until the next response. Show only those that still match.
  const byPath = new Map(
    (found.data?.results ?? [])
      .filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase()))
      .map((one) => [one.path.join(separator), one]),
  )
  const isSearchDone = search === typed && found.data !== undefined && !found.isPlaceholderData
  const wanted = path.join(separator)
  const create = strings.categories.create(wanted)
  const submit = (option: string) => {
    const category: Category | undefined = byPath.get(option)
    add(category === undefined ? { path } : { id: category.id, name: category.name })
    // After the control has written the text of the option.
    queueMicrotask(() => setText(''))
  }
  return (
    <Autocomplete
      id={fieldId('categories')}
      label={strings.categories.add}
      description={strings.categories.addHint}
      value={text}
      onChange={setText}
      onFocus={() => setUsed(true)}
      onOptionSubmit={submit}
      selectFirstOptionOnChange
      error={fieldError}
      filter={({ options }) => options}
      data={[...byPath.keys(), ...(isSearchDone && wanted !== '' && !byPath.has(wanted) ? [create] : [])]}
    />
  )
}

function isSame(left: CategoryDraft, right: CategoryDraft): boolean {
  if ('id' in left || 'id' in right) return 'id' in left && 'id' in right && left.id === right.id
  return pathText(left) === pathText(right)
}
