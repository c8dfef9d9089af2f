import { showFields } from '../../model/product/show-media.ts'
import type { CatalogEvent } from './event.schema.ts'

/** An event as clients receive it: assets have the URL by which the client knows the service. */
export function showEvent(event: CatalogEvent, baseUrl: () => string): CatalogEvent {
  const { before, after } = event.data
  const shown = { before: showFields(before, baseUrl), after: showFields(after, baseUrl) }
  return shown.before === before && shown.after === after
    ? event
    : { ...event, data: { ...event.data, ...shown } }
}
