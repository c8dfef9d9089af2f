import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Faults of the page as it stands that would keep somebody out. */
export async function seriousViolations(page: Page): Promise<string[]> {
  return described((await run(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical'))
}

/** Every fault of the page as it stands, and whatever else could be better. */
export async function allViolations(page: Page): Promise<string[]> {
  return described(await run(page))
}

/** A colour on its way from light to dark is no colour of the page. */
const transitionsEnd = `Promise.all(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished.catch(() => {})))`

async function run(page: Page): Promise<AxeResults['violations']> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe.source)
  await page.evaluate(`${transitionsEnd}.then(() => {})`)
  const results = await page.evaluate(`axe.run({ resultTypes: ['violations'] })`)
  return (results as AxeResults).violations
}

function described(violations: AxeResults['violations']): string[] {
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}
