import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { ProblemError } from '../network.ts'
import { ConfirmDialog } from '../parts/dialogs/dialogs.tsx'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import type { Market } from '../wire.ts'
import { deleteMarket, eraseMarket } from './changes.ts'
import { strings } from './strings.ts'

type Props = {
  project: number
  market: Market
  markets: readonly Market[]
  done: () => void
  close: () => void
}

/** Deletes a language or market. If products have values in it, asks again before it erases them. */
export function DeleteMarket({ project, market, markets, done, close }: Props) {
  const [hasValues, setHasValues] = useState(false)
  const { code, label } = market
  const above = markets.filter(({ falls_back_to }) => falls_back_to.includes(code))
  if (above.length > 0)
    return (
      <ConfirmDialog
        title={strings.delete.inUseTitle(label)}
        action={strings.delete.close}
        close={close}
        run={async () => close()}
      >
        {strings.delete.inUse(above.map((one) => one.label).join(', '))}
      </ConfirmDialog>
    )
  if (hasValues) return <EraseDialog {...{ project, market, done, close }} />
  return (
    <ConfirmDialog
      title={strings.delete.title(label)}
      action={strings.delete.action}
      danger
      close={close}
      run={async () => {
        try {
          await deleteMarket(project, code)
          done()
        } catch (error) {
          if (!(error instanceof ProblemError) || error.code !== 'view_in_use') throw error
          setHasValues(true)
        }
      }}
    >
      {strings.delete.text(label)}
    </ConfirmDialog>
  )
}

/** The user enters the code, because the values of many products are removed. */
function EraseDialog({ project, market, done, close }: Omit<Props, 'markets'>) {
  const { code, label } = market
  const words = strings.delete.confirm(code)
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (typed) => (typed.trim() === code ? null : words) },
  })
  return (
    <FormDialog
      title={strings.delete.eraseTitle(label)}
      action={strings.delete.erase}
      danger
      form={form}
      send={() => eraseMarket(project, code)}
      done={done}
      close={close}
    >
      <div>{strings.delete.eraseText(label)}</div>
      <TextInput label={words} autoComplete="off" data-autofocus {...form.getInputProps('code')} />
    </FormDialog>
  )
}
