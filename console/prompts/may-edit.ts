import { useRouteContext } from '@tanstack/react-router'

/** Whether the reader may add versions and move labels; the service refuses it to viewers in any case. */
export function useMayEdit(): boolean {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  return project.role !== 'viewer'
}
