import { useForm } from '@mantine/form'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { CategorySelect, type Choice } from '../products/filters/category-select.tsx'
import type { ActionProps } from './actions.ts'
import { mergeCategory, moveCategory } from './changes.ts'
import { strings } from './strings.ts'
import { mostUndone, rememberMerge, undoMerge } from './undo-merge.ts'

const lastName = ({ label }: Choice) => label.split(' › ').at(-1) ?? label

/** Chooses a new parent. Subcategories move too. */
export function MoveDialog({ project, category, done, close }: ActionProps) {
  const above = category.path.slice(0, -1).join(' › ')
  const form = useForm<{ parent: Choice | undefined }>({
    initialValues: {
      parent: category.parent === null ? undefined : { value: String(category.parent), label: above },
    },
  })
  const { parent } = form.values
  return (
    <FormDialog
      title={strings.move.title(category.name)}
      action={strings.move.action}
      form={form}
      send={({ parent: to }) =>
        moveCategory(project, category.id, to === undefined ? null : Number(to.value))
      }
      done={({ id, name, parent: to }) =>
        done({
          message:
            parent === undefined
              ? strings.move.movedToTop(name)
              : strings.move.movedBelow(name, lastName(parent)),
          shown: id,
          opened: to,
        })
      }
      close={close}
    >
      <CategorySelect
        project={project}
        label={strings.move.parent}
        description={strings.move.parentHint}
        isClearable
        value={parent}
        error={form.errors['parent']}
        choose={(next) => {
          form.clearFieldError('parent')
          form.setFieldValue('parent', next)
        }}
      />
    </FormDialog>
  )
}

export function MergeDialog({ project, category, done, close }: ActionProps) {
  const { id, name, products = 0, children = 0 } = category
  const form = useForm<{ into: Choice | undefined }>({
    initialValues: { into: undefined },
    validate: { into: (into) => (into === undefined ? strings.merge.missing : null) },
  })
  const { into } = form.values
  const isUndoable = products <= mostUndone && children <= mostUndone
  return (
    <FormDialog
      title={strings.merge.title(name)}
      action={strings.merge.action}
      danger
      form={form}
      send={async ({ into: target }) => {
        const memory = isUndoable ? await rememberMerge(project, category) : undefined
        return { ...(await mergeCategory(project, id, Number(target?.value))), memory }
      }}
      done={({ into: shown, products: moved, memory }) =>
        done({
          message: strings.merge.merged(name, moved),
          shown,
          undo:
            memory &&
            (async () => {
              const { restored } = await undoMerge(project, memory)
              return strings.merge.undone(name, restored, memory.products.length)
            }),
        })
      }
      close={close}
    >
      <CategorySelect
        project={project}
        label={strings.merge.into}
        value={into}
        error={form.errors['into']}
        choose={(next) => {
          form.clearFieldError('into')
          form.setFieldValue('into', next)
        }}
      />
      <p>
        {strings.merge.products(products, into && lastName(into))}
        {children > 0 && ` ${strings.merge.subcategories(children)}`}{' '}
        {strings.merge.deleted(name, isUndoable)}
      </p>
    </FormDialog>
  )
}
