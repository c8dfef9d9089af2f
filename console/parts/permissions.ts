import { useRouteContext } from '@tanstack/react-router'

type Permissions = {
  /** Writes products, prompts and categories, and proposes changes. */
  canWrite: boolean
  /** Applies proposals, defines attributes and rules, manages tokens. */
  canManage: boolean
}

/**
 * What the user can do in the current project. Pages hide other controls; the service rejects such requests anyway.
 */
export function usePermissions(): Permissions {
  const { role } = useRouteContext({ from: '/signed-in/projects/$projectId' }).project
  return { canWrite: role !== 'viewer', canManage: role === 'manager' || role === 'operator' }
}
