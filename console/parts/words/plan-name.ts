/** Plans are data; their names begin with a capital where people read them. */
export function planName(plan: string): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1)
}
