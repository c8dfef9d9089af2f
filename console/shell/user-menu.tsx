import { Menu, UnstyledButton } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { signOut } from '../changes.ts'
import { Icon } from '../parts/icons.tsx'
import { notifyError } from '../parts/notify.ts'
import { notifyOtherTabs, rememberSignedIn } from '../session.ts'
import type { Session } from '../wire.ts'
import styles from './shell.module.css'
import { strings } from './strings.ts'

/** Above notifications, which appear in the same place. */
const zIndex = 500

export function UserMenu({ user }: { user: Session['user'] }) {
  const leave = useSignOut()
  return (
    <Menu width="target" position="top-start" shadow="md" withinPortal zIndex={zIndex}>
      <Menu.Target>
        <UnstyledButton className={styles.switcher}>
          <span className={styles.person} aria-hidden="true">
            <Icon name="person" size={17} />
          </span>
          <span className={styles.switcherText}>
            <span className="unseen">{strings.user.account}</span>
            <span dir="auto" className={styles.switcherName}>
              {user.name || user.email}
            </span>
            {user.name !== '' && <span className={styles.switcherEmail}>{user.email}</span>}
          </span>
          <span className={styles.switcherIcon}>
            <Icon name="chevrons" size={16} />
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/account" leftSection={<Icon name="key" size={16} />}>
          {strings.user.accountPage}
        </Menu.Item>
        <Menu.Item component="a" href="/docs" leftSection={<Icon name="book" size={16} />}>
          {strings.user.reference}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="leave" size={16} />} onClick={() => leave.mutate()}>
          {strings.user.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function useSignOut() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      notifyOtherTabs('signed-out')
      rememberSignedIn(false)
      await navigate({ to: '/sign-in' })
      // The user may stay on a page with unsaved changes.
      if (location.pathname === '/sign-in') queries.clear()
    },
    onError: notifyError,
  })
}
