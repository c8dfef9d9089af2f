import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Proposal } from '../wire.ts'

/** Navigates only after the page knows that nothing is unsaved: `opened` is set one render before. */
export function useOpenProposal(project: number) {
  const router = useRouter()
  const [opened, open] = useState<Proposal>()
  useEffect(() => {
    if (opened !== undefined) router.history.push(`/projects/${project}/proposals/${opened.id}`)
  }, [opened, project, router])
  return { opened, open }
}
