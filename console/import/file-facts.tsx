import { Facts } from '../parts/facts.tsx'
import { counted } from '../parts/number-text.ts'
import { Card } from '../parts/page.tsx'
import type { OpenedFile } from './open-file.ts'

const delimiterNames: Record<string, string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' }
const formatNames = { csv: 'CSV', ndjson: 'NDJSON, a product a line', json: 'JSON array' }

/** How the file is read, so that a wrong guess is seen before anything is sent. */
export function FileFacts({ opened: { file, form, header } }: { opened: OpenedFile }) {
  return (
    <Card title={file.name}>
      <Facts
        facts={{
          Size: sizeText(file.size),
          Format:
            form.format === 'csv' ? `CSV with ${delimiterNames[form.delimiter]}` : formatNames[form.format],
          Encoding: form.encoding.toUpperCase(),
          ...(form.format === 'csv' && { Header: counted(header.length, 'column') }),
        }}
      />
    </Card>
  )
}

function sizeText(bytes: number): string {
  const [divisor, unit] = bytes < 1_000_000 ? [1_000, 'kilobyte'] : [1_000_000, 'megabyte']
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, maximumFractionDigits: 1 }).format(
    bytes / divisor,
  )
}
