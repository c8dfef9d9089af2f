import { fieldLabel } from '../../src/model/fields/field-paths.ts'
import { Card } from '../parts/page.tsx'
import { useCurrency } from '../parts/use-currency.ts'
import { flatFields } from '../product/draft/draft-fields.ts'
import { lineValueText } from '../proposals/value-text.ts'
import type { Chosen } from './file/use-file.ts'
import styles from './import.module.css'
import { mappingOf } from './lines.ts'
import { lineOf } from './mapping.ts'
import { strings } from './strings.ts'

export function ImportPreviewCard({ chosen: { opened, mapping } }: { chosen: Chosen }) {
  const used = mappingOf(opened, mapping)
  const currency = useCurrency()
  const rows = opened.first.map((record) => ({
    number: record.number,
    fields: fieldsOf(lineOf(used, record)),
    text: record.cells[0] ?? '',
  }))
  const names = [...new Set(rows.flatMap(({ fields }) => [...(fields?.keys() ?? [])]))]
  return (
    <Card title={strings.preview.title} lead={strings.preview.lead} flush>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className={styles.scroll} data-scrolls tabIndex={0} aria-label={strings.preview.label}>
        <table className={styles.preview}>
          <thead>
            <tr>
              <th scope="col">{strings.preview.line}</th>
              {names.map((name) => (
                <th key={name} scope="col">
                  <bdi>{fieldLabel(name)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ number, fields, text }) => (
              <tr key={number}>
                <td className="tabular">{number}</td>
                {fields === undefined ? (
                  <td colSpan={Math.max(1, names.length)}>
                    {strings.preview.notObject} <bdi>{text.slice(0, 200)}</bdi>
                  </td>
                ) : (
                  names.map((name) => (
                    <td key={name}>
                      <bdi>{lineValueText(name, fields.get(name), currency).slice(0, 200) || '–'}</bdi>
                    </td>
                  ))
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  )
}

/** Undefined if the line is not an object. */
function fieldsOf(json: string): Map<string, unknown> | undefined {
  try {
    const product: unknown = JSON.parse(json)
    return product instanceof Object && !Array.isArray(product) ? flatFields(product) : undefined
  } catch {
    return undefined
  }
}
