import { CompareView } from './compare/compare-view.tsx'
import { EditView } from './edit/edit-view.tsx'
import type { VersionDraft } from './edit/use-version-draft.ts'
import { LabelsView } from './labels/labels-view.tsx'
import { OutcomesView } from './outcomes-view.tsx'
import { TextView } from './text-view.tsx'
import { TryView } from './try/try-view.tsx'
import type { ViewProps } from './view-props.ts'

/** The view in the URL. */
export function PromptViews({ editor, ...props }: ViewProps & { editor: VersionDraft }) {
  switch (props.search.view) {
    case 'compare':
      return <CompareView {...props} />
    case 'try':
      return <TryView {...props} />
    case 'outcomes':
      return <OutcomesView {...props} />
    case 'labels':
      return <LabelsView {...props} />
    case 'edit':
      return <EditView {...props} editor={editor} />
    default:
      return <TextView {...props} />
  }
}
