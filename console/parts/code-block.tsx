import styles from './code-block.module.css'
import { CopyButton } from './copy.tsx'
import { strings } from './strings.ts'

type Props = { code: string; label: string; json?: boolean; copy?: boolean }

/** Code with a copy button. Scrollable by keyboard. */
export function CodeBlock({ code, label, json = false, copy = true }: Props) {
  return (
    <div className={styles.block}>
      <section tabIndex={copy ? 0 : -1} aria-label={label} className={styles.scroll}>
        <pre>
          <code>{json ? colored(code) : code}</code>
        </pre>
      </section>
      {copy && (
        <div className={styles.copy}>
          <CopyButton text={code} label={strings.copy.label(label)} />
        </div>
      )}
    </div>
  )
}

const jsonPart = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?|true|false|null)/g

function colored(code: string) {
  const parts = []
  let end = 0
  for (const match of code.matchAll(jsonPart)) {
    const [all, text, colon] = match
    parts.push(code.slice(end, match.index))
    const kind = text === undefined ? styles.number : colon === undefined ? styles.text : styles.key
    parts.push(
      <span key={match.index} className={kind}>
        {text ?? all}
      </span>,
      colon ?? '',
    )
    end = match.index + all.length
  }
  return [...parts, code.slice(end)]
}
