import { strings } from '../strings.ts'
import { FileError, type FileForm, formOf } from './file-text.ts'
import { type FileRecord, type RecordSlice, readRecords } from './records.ts'

export type OpenedFile = {
  file: File
  form: FileForm
  /** Empty for JSON and NDJSON. */
  header: string[]
  first: FileRecord[]
}

const shownRecords = 5

export async function openFile(file: File): Promise<OpenedFile> {
  const form = await formOf(file)
  const found: FileRecord[] = []
  for await (const { records } of readRecords(file, form)) {
    found.push(...records)
    if (found.length > shownRecords) break
  }
  const header = form.format === 'csv' ? (found.shift()?.cells ?? []).map((name) => name.trim()) : []
  if (found.length === 0) throw new FileError(strings.fileErrors.noProducts)
  return { file, form, header, first: found.slice(0, shownRecords) }
}

/** All records of the file without the header. */
export async function* recordsOf({ file, form }: OpenedFile): AsyncGenerator<RecordSlice> {
  let isHeader = form.format === 'csv'
  for await (const { records, bytes } of readRecords(file, form)) {
    if (isHeader && records.length > 0) {
      isHeader = false
      records.shift()
    }
    yield { records, bytes }
  }
}
