import { Facts } from '../../parts/facts.tsx'
import styles from '../../proposals/proposal-summary.module.css'
import { strings } from '../strings.ts'
import type { OpenedFile } from './open-file.ts'

/** Shows how the file is read, so that the user notices a wrong guess before anything is sent. */
export function FileFacts({ opened: { file, form, header } }: { opened: OpenedFile }) {
  const isCsv = form.format === 'csv'
  const facts = {
    [strings.file.name]: <bdi>{file.name}</bdi>,
    [strings.file.size]: sizeText(file.size),
    [strings.file.format]:
      form.format === 'csv'
        ? strings.file.csv(strings.file.delimiters[form.delimiter] ?? form.delimiter)
        : strings.file.formats[form.format],
    [strings.file.encoding]: form.encoding.toUpperCase(),
    ...(isCsv && { [strings.file.header]: strings.file.columns(header.length) }),
  }
  return <Facts facts={facts} className={styles.facts} />
}

function sizeText(bytes: number): string {
  const [divisor, unit] =
    bytes < 1_000 ? [1, 'byte'] : bytes < 1_000_000 ? [1_000, 'kilobyte'] : [1_000_000, 'megabyte']
  const unitDisplay = unit === 'byte' ? 'long' : 'short'
  const format = new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit,
    unitDisplay,
    maximumFractionDigits: 1,
  })
  return format.format(bytes / divisor)
}
