import { Alert, Anchor, Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { readNotices } from '../account/changes.ts'
import { strings } from '../account/security-strings.ts'
import { Icon } from '../parts/icons.tsx'
import { notifyError } from '../parts/notify.ts'
import { sessionQuery } from '../queries.ts'
import styles from './shell.module.css'

/** Shown on every page after an operator reset the second factor, until the user dismisses it. */
export function ResetNotice() {
  const queries = useQueryClient()
  const dismiss = useMutation({
    mutationFn: readNotices,
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    onError: notifyError,
  })
  return (
    <Alert
      className={styles.webhookBanner ?? ''}
      color="yellow"
      role="status"
      icon={<Icon name="alert" />}
      title={strings.notice.title}
    >
      {strings.notice.text}
      <div className={styles.noticeActions}>
        <Anchor component={Link} to="/account" inherit>
          {strings.notice.setUp}
        </Anchor>
        <Button size="xs" variant="default" loading={dismiss.isPending} onClick={() => dismiss.mutate()}>
          {strings.notice.dismiss}
        </Button>
      </div>
    </Alert>
  )
}
