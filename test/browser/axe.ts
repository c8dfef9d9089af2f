import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

// Every page that is looked at reads it anew: the small form takes a third of the time.
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The page that a dialog stands before: it is looked at where there is no dialog. */
export const behindDialog = '#root'

/** What stands beside every page of the console: it is looked at once. */
export const frame = 'section[aria-label=Console]'

const isSerious = ({ impact }: { impact?: unknown }) => impact === 'serious' || impact === 'critical'

/** Faults of the page as it stands that would keep somebody out, apart from those in what is left out. */
export async function seriousViolations(page: Page, leftOut?: string): Promise<string[]> {
  return described((await run(page, leftOut, otherRules)).filter(isSerious))
}

/** Every fault of the page as it stands, and whatever else could be better. */
export async function allViolations(page: Page, leftOut?: string): Promise<string[]> {
  return described(await run(page, leftOut))
}

/** A rule has one impact for whatever it finds, so those without a serious one are not asked. */
const otherRules = `(() => {
  const { rules } = axe._audit
  const others = rules.filter((rule) => !(${isSerious})(rule))
  if (others.length === rules.length) throw new Error('axe does not tell the impact of its rules')
  return Object.fromEntries(others.map(({ id }) => [id, { enabled: false }]))
})()`

/** A colour on its way from light to dark is no colour of the page. */
const transitionsEnd = `Promise.all(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished.catch(() => {})))`

async function run(page: Page, leftOut?: string, rules = '{}'): Promise<AxeResults['violations']> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(source)
  await page.evaluate(`${transitionsEnd}.then(() => {})`)
  const out = JSON.stringify(leftOut === undefined ? [] : [leftOut])
  // What is left out is hidden meanwhile: else axe finds out for all of it what lies behind what.
  const violations = await page.evaluate(`(async () => {
    const hidden = ${out}.flatMap((selector) => [...document.querySelectorAll(selector)])
    for (const { style } of hidden) style.visibility = 'hidden'
    const options = { resultTypes: ['violations'], rules: ${rules} }
    const { violations } = await axe.run({ exclude: ${out} }, options)
    for (const { style } of hidden) style.visibility = ''
    return violations
  })()`)
  return violations as AxeResults['violations']
}

function described(violations: AxeResults['violations']): string[] {
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}
