import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { usePermissions } from '../parts/permissions.ts'
import styles from './ai-providers.module.css'
import { strings } from './strings.ts'

/** How to connect a model. */
export function WaysToConnect() {
  return (
    <>
      <ul className={styles.ways}>
        <li>
          {strings.none.ollama} <code>{strings.none.ollamaUrl}</code>
        </li>
        <li>
          {strings.none.vllm} <code>{strings.none.vllmUrl}</code>
        </li>
        <li>{strings.none.others}</li>
      </ul>
      <p className={styles.note}>
        {strings.none.allow} <code>{strings.none.allowExample}</code>
      </p>
    </>
  )
}

type Props = { project: number; isDisabled?: boolean }

/** Explains on other pages why no prompt can run. */
export function NoProvider({ project, isDisabled = false }: Props) {
  const { canManage } = usePermissions()
  const { manager, editor, disabledManager, disabledEditor } = strings.none
  const text = isDisabled ? [disabledManager, disabledEditor] : [manager, editor]
  return (
    <div className={styles.none}>
      <p className={styles.title}>{isDisabled ? strings.none.disabledTitle : strings.none.title}</p>
      <p className={styles.note}>{canManage ? text[0] : text[1]}</p>
      <WaysToConnect />
      {canManage && (
        <p className={styles.note}>
          <Anchor component={Link} to={`/projects/${project}/settings/ai-providers`}>
            {strings.none.open}
          </Anchor>
        </p>
      )}
    </div>
  )
}
