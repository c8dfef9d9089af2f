import { EditDialog } from '../products/edit/edit-dialog.tsx'
import { newDraft } from '../products/edit/edit-draft.ts'
import { noRounding } from '../products/edit/round-draft.ts'

type Props = { project: number; active: number; close: () => void }

/** The edit of all active products, with a price increase as an example. */
export function RaisePrices({ project, active, close }: Props) {
  const raise = {
    ...newDraft('price'),
    op: 'raise_percent',
    value: '5',
    round: { ...noRounding, to: '0.95' },
  }
  return <EditDialog project={project} filter="status=active" count={active} edits={[raise]} close={close} />
}
