import { Facts } from '../../parts/facts.tsx'
import { counted } from '../../parts/words/number-text.ts'
import styles from '../../proposals/proposal-summary.module.css'
import type { OpenedFile } from './open-file.ts'

const delimiterNames: Record<string, string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' }
const formatNames = { ndjson: 'NDJSON, a product a line', json: 'JSON array' }

/** How the file is read, so that a wrong guess is seen before anything is sent. */
export function FileFacts({ opened: { file, form, header } }: { opened: OpenedFile }) {
  const isCsv = form.format === 'csv'
  const facts = {
    File: <bdi>{file.name}</bdi>,
    Size: sizeText(file.size),
    Format: form.format === 'csv' ? `CSV with ${delimiterNames[form.delimiter]}` : formatNames[form.format],
    Encoding: form.encoding.toUpperCase(),
    ...(isCsv && { Header: counted(header.length, 'column') }),
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
