import type { Method } from './document/document.ts'
import styles from './method-tag.module.css'

export function MethodTag({ method }: { method: Method }) {
  return (
    <span className={styles.method} data-method={method}>
      {method.toUpperCase()}
    </span>
  )
}
