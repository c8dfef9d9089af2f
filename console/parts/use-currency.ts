import { useRouteContext } from '@tanstack/react-router'

/** The currency of all prices in the current project. */
export function useCurrency(): string {
  return useRouteContext({ from: '/signed-in/projects/$projectId' }).project.currency
}
