import type { FileFilter } from '../../src/console-api/media/media-files.schema.ts'

/** Files that need attention, in the order of their links. */
const filters: Record<FileFilter, true> = { unused: true, too_small: true, undescribed: true }
export const fileFilters = Object.keys(filters) as FileFilter[]
