import { Checkbox } from '@mantine/core'
import styles from './boxes.module.css'

/** The choices of a Checkbox.Group. Long lists scroll. */
export function Boxes({ choices }: { choices: { value: string; label: string }[] }) {
  return (
    <div className={styles.group}>
      {choices.map(({ value, label }) => (
        <Checkbox key={value} value={value} label={label} />
      ))}
    </div>
  )
}
