import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Faults of the page as it stands that would keep somebody out. */
export async function seriousViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate(`axe.run({ resultTypes: ['violations'] })`)) as AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}
