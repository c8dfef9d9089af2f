import { CopyButton } from '../parts/copy.tsx'
import { strings } from './strings.ts'
import styles from './template-text.module.css'

const placeholder = /(\{\{[^{}\n]+\}\})/

/** The text with highlighted variables. */
export function TemplateText({ text, variables }: { text: string; variables: string[] }) {
  return (
    <div className={styles.frame}>
      <pre className={styles.text} dir="auto">
        {text.split(placeholder).map((part, index) => {
          const isVariable = variables.includes(part.slice(2, -2).trim()) && placeholder.test(part)
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by their position
          return isVariable ? <mark key={index}>{part}</mark> : part
        })}
      </pre>
      <div className={styles.copy}>
        <CopyButton text={text} label={strings.text.copy} />
      </div>
    </div>
  )
}
