/** Capitalizes the plan name for display. */
export function planName(plan: string): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1)
}
