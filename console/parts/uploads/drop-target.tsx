import type { ReactNode } from 'react'
import styles from './uploads.module.css'

type Props = {
  /** Whether files are being dragged over the page. */
  isOver: boolean
  text: string
  /** Whether the target is in a card without padding. */
  flush?: boolean
  children: ReactNode
}

/** Shows where dropped files go. */
export function DropTarget({ isOver, text, flush = false, children }: Props) {
  return (
    <div className={styles.target} data-over={isOver} data-drop={text} data-flush={flush}>
      {children}
    </div>
  )
}
