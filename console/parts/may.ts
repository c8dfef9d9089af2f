import { useRouteContext } from '@tanstack/react-router'

type May = {
  /** Writes products, prompts and categories, and proposes changes. */
  mayWrite: boolean
  /** Applies proposals, defines attributes and rules, keeps tokens. */
  mayManage: boolean
}

/** What the reader may do in the project of the page. A control that they may not use is not offered; the service refuses it anyway. */
export function useMay(): May {
  const { role } = useRouteContext({ from: '/signed-in/projects/$projectId' }).project
  return { mayWrite: role !== 'viewer', mayManage: role === 'manager' || role === 'operator' }
}
