import { Button, Modal } from '@mantine/core'
import dialog from '../../parts/dialogs/dialogs.module.css'
import { useRestoreFocus } from '../../parts/dialogs/restore-focus.ts'
import { RelativeTime } from '../../parts/format/relative-time.tsx'
import { WordDiff } from '../../parts/format/word-diff.tsx'
import type { PromptVersionDetail } from '../../wire.ts'
import styles from '../prompts.module.css'
import { strings } from '../strings.ts'
import { type Draft, nextNumber } from './version-draft.ts'

type Props = { draft: Draft; theirs: PromptVersionDetail; resume: (isSaved: boolean) => void }

/** Another user added a version in the meantime: shows the changes from theirs to yours. */
export function NewerVersionDialog({ draft, theirs, resume }: Props) {
  useRestoreFocus()
  const { version_number, actor, created_at, message, prompt_text } = theirs
  const keep = () => resume(false)
  return (
    <Modal
      opened
      onClose={keep}
      size="xl"
      closeOnClickOutside={false}
      title={strings.newerVersion.title(version_number)}
    >
      <div className={dialog.body}>
        <div>
          {strings.newerVersion.by} <bdi>{actor}</bdi>
          {', '}
          <RelativeTime at={created_at} />
          {message !== '' && (
            <>
              {strings.newerVersion.message}
              <bdi>{message}</bdi>
              {strings.newerVersion.messageEnd}
            </>
          )}
          {strings.newerVersion.text(draft.base.number)}
        </div>
        <div>
          <p className={styles.label}>{strings.newerVersion.diff}</p>
          <WordDiff before={prompt_text} after={draft.text} />
        </div>
        <div className={dialog.buttons}>
          <Button variant="default" onClick={keep} data-autofocus>
            {strings.newerVersion.keepEditing}
          </Button>
          <Button onClick={() => resume(true)}>
            {strings.newerVersion.submit(nextNumber(version_number, draft.bump))}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
