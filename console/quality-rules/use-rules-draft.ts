import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { focusContent } from '../parts/dialogs/restore-focus.ts'
import { notifyError, notifySuccess } from '../parts/notify.ts'
import type { QualityPreview, QualityRule } from '../wire.ts'
import { previewRules, saveRules } from './changes.ts'
import { strings } from './strings.ts'

/** Unsaved rules with their preview. */
type Draft = { before: QualityRule[]; rules: QualityRule[]; preview: QualityPreview }

export function useRulesDraft(project: number, saved: QualityRule[]) {
  const queries = useQueryClient()
  const [draft, setDraft] = useState<Draft>()
  const set = (rules: QualityRule[], preview: QualityPreview) =>
    setDraft({ before: draft?.before ?? saved, rules, preview })
  const trying = useMutation({
    mutationFn: (rules: QualityRule[]) => previewRules(project, rules),
    onSuccess: (preview, rules) => {
      set(rules, preview)
      focusContent()
    },
    onError: notifyError,
  })
  const saving = useMutation({
    mutationFn: ({ before, rules }: Draft) => saveRules(project, before, rules),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['project', project, 'quality-rules'] })
      setDraft(undefined)
      focusContent()
      notifySuccess(strings.rules.saved)
      void queries.invalidateQueries({ queryKey: ['project', project] })
    },
  })
  return {
    rules: draft?.rules ?? saved,
    preview: draft?.preview,
    isChanged: draft !== undefined,
    isSaving: saving.isPending,
    problem: saving.error,
    set,
    tryOut: (rules: QualityRule[]) => trying.mutate(rules),
    save: () => draft && saving.mutate(draft),
    discard: () => {
      saving.reset()
      focusContent()
      setDraft(undefined)
      void queries.invalidateQueries({ queryKey: ['project', project, 'quality-rules'] })
    },
  }
}
