import { Button, Modal } from '@mantine/core'
import dialog from '../../parts/dialogs/dialogs.module.css'
import { useFocusBack } from '../../parts/dialogs/focus-back.ts'
import { Moment } from '../../parts/words/moment.tsx'
import { WordDiff } from '../../parts/words/word-diff.tsx'
import type { PromptVersionDetail } from '../../wire.ts'
import styles from '../prompts.module.css'
import { type Draft, nextNumber } from './version-draft.ts'

type Props = { draft: Draft; theirs: PromptVersionDetail; goOn: (isSaved: boolean) => void }

/** Somebody else has added a version meanwhile: theirs, and what yours would make of it. */
export function NewerVersionDialog({ draft, theirs, goOn }: Props) {
  useFocusBack()
  const { version_number, actor, created_at, message, prompt_text } = theirs
  const keep = () => goOn(false)
  return (
    <Modal
      opened
      onClose={keep}
      size="xl"
      closeOnClickOutside={false}
      title={`Somebody else added version ${version_number} meanwhile`}
    >
      <div className={dialog.body}>
        <div>
          <bdi>{actor}</bdi> added it, <Moment at={created_at} />
          {message !== '' && (
            <>
              , and said: “<bdi>{message}</bdi>”
            </>
          )}
          . Yours was not added, and is still here. It began from version {draft.base.number}, so it may lack
          what they changed.
        </div>
        <div>
          <p className={styles.label}>From their text to yours</p>
          <WordDiff before={prompt_text} after={draft.text} />
        </div>
        <div className={dialog.buttons}>
          <Button variant="default" onClick={keep} data-autofocus>
            Keep editing
          </Button>
          <Button onClick={() => goOn(true)}>Add mine as {nextNumber(version_number, draft.bump)}</Button>
        </div>
      </div>
    </Modal>
  )
}
