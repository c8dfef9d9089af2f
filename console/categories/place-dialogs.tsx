import { useForm } from '@mantine/form'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { counted } from '../parts/words/number-text.ts'
import { CategorySelect, type Choice } from '../products/filters/category-select.tsx'
import type { ActProps } from './acts.ts'
import { mergeCategory, moveCategory } from './changes.ts'

const lastName = ({ label }: Choice) => label.split(' › ').at(-1)

/** Where a category shall stand; what is below it moves along. */
export function MoveDialog({ project, category, done, close }: ActProps) {
  const above = category.path.slice(0, -1).join(' › ')
  const form = useForm<{ parent: Choice | undefined }>({
    initialValues: {
      parent: category.parent === null ? undefined : { value: String(category.parent), label: above },
    },
  })
  const { parent } = form.values
  return (
    <FormDialog
      title={`Move ${category.name}`}
      action="Move"
      form={form}
      send={({ parent: to }) =>
        moveCategory(project, category.id, to === undefined ? null : Number(to.value))
      }
      done={({ id, name, parent: to }) =>
        done({
          message:
            parent === undefined
              ? `${name} stands at the root now.`
              : `${name} stands below ${lastName(parent)} now.`,
          shown: id,
          opened: to,
        })
      }
      close={close}
    >
      <CategorySelect
        project={project}
        label="Below"
        description="What is below it moves along. Leave this empty to move it to the root."
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

export function MergeDialog({ project, category, done, close }: ActProps) {
  const { id, name, products = 0, children = 0 } = category
  const form = useForm<{ into: Choice | undefined }>({
    initialValues: { into: undefined },
    validate: { into: (into) => (into === undefined ? 'Choose the category that shall stay.' : null) },
  })
  const { into } = form.values
  return (
    <FormDialog
      title={`Merge ${name} into another category`}
      action="Merge"
      danger
      form={form}
      send={({ into: target }) => mergeCategory(project, id, Number(target?.value))}
      done={(merged) =>
        done({
          message: `${name} is merged: ${counted(merged.products, 'product')} moved.`,
          shown: merged.into,
          opened: undefined,
        })
      }
      close={close}
    >
      <CategorySelect
        project={project}
        label="Merge into"
        value={into}
        error={form.errors['into']}
        choose={(next) => {
          form.clearFieldError('into')
          form.setFieldValue('into', next)
        }}
      />
      <p>
        {counted(products, 'product')} {products === 1 ? 'gets' : 'get'}{' '}
        {into === undefined ? 'the other one' : lastName(into)} instead, each with a new version
        {children > 0 &&
          `; ${counted(children, 'category', 'categories')} below it ${children === 1 ? 'moves' : 'move'} along`}
        . Then {name} is deleted, which nobody can undo.
      </p>
    </FormDialog>
  )
}
