import { useRouteContext } from '@tanstack/react-router'

type May = {
  /** Writes products, prompts and categories, and proposes changes. */
  mayWrite: boolean
  /** Applies proposals, defines attributes and rules, manages tokens. */
  mayManage: boolean
}

/**
 * What the user can do in the current project. Pages hide other controls; the service rejects such requests anyway.
 */
export function useMay(): May {
  const { role } = useRouteContext({ from: '/signed-in/projects/$projectId' }).project
  return { mayWrite: role !== 'viewer', mayManage: role === 'manager' || role === 'operator' }
}
