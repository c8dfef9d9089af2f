import { Alert, Checkbox } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { requireSecondFactor } from '../changes.ts'
import dialog from '../parts/dialogs/dialogs.module.css'
import { ActionDialog } from '../parts/dialogs/dialogs.tsx'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { Icon } from '../parts/icons.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { notifySuccess } from '../parts/notify.ts'
import { requiredRolesQuery, securityQuery } from '../queries.ts'
import type { RequiredRoles } from '../wire.ts'
import { strings } from './user-strings.ts'

type Roles = RequiredRoles['roles']

/** Which roles need a second factor. */
export function SecondFactorRules({ close }: { close: () => void }) {
  const query = useQuery(requiredRolesQuery)
  if (query.data !== undefined) return <RulesForm roles={query.data.roles} close={close} />
  return (
    <ActionDialog title={strings.rules.title} isPending={false} close={close}>
      <Loaded query={query}>{() => null}</Loaded>
    </ActionDialog>
  )
}

function RulesForm({ roles, close }: { roles: Roles; close: () => void }) {
  const queries = useQueryClient()
  const form = useForm({ initialValues: { roles } })
  const { data: own } = useQuery(securityQuery)
  const lacksFactor = own !== undefined && !own.totp && own.passkeys.length === 0
  return (
    <FormDialog
      title={strings.rules.title}
      action={strings.rules.save}
      form={form}
      send={(values) => requireSecondFactor(values.roles)}
      done={async () => {
        notifySuccess(strings.rules.saved)
        close()
        await queries.invalidateQueries()
      }}
      close={close}
    >
      {strings.rules.text}
      <Checkbox.Group {...form.getInputProps('roles')}>
        <div className={dialog.fields}>
          {Object.entries(strings.rules.roles).map(([value, label], index) => (
            <Checkbox key={value} value={value} label={label} data-autofocus={index === 0 || undefined} />
          ))}
        </div>
      </Checkbox.Group>
      {lacksFactor && form.values.roles.includes('operator') && (
        <Alert color="yellow" role="status" icon={<Icon name="alert" />}>
          {strings.rules.own}
        </Alert>
      )}
    </FormDialog>
  )
}
