import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

// The minified script is injected into every checked page, which takes a third of the time.
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The page behind a dialog, which is checked without the dialog. */
export const behindDialog = '#root'

/** The frame of every page, which is checked once. */
export const frame = 'section[aria-label=Console]'

const isSerious = ({ impact }: { impact?: unknown }) => impact === 'serious' || impact === 'critical'

/** Serious violations on the current page, except in the excluded part. */
export async function seriousViolations(page: Page, leftOut?: string): Promise<string[]> {
  return described((await run(page, leftOut, otherRules)).filter(isSerious))
}

/** All violations on the current page, including best practices. */
export async function allViolations(page: Page, leftOut?: string): Promise<string[]> {
  return described(await run(page, leftOut))
}

/** A rule has a fixed impact, so rules without a serious one are skipped. */
const otherRules = `(() => {
  const { rules } = axe._audit
  const others = rules.filter((rule) => !(${isSerious})(rule))
  if (others.length === rules.length) throw new Error('axe does not include the impact of its rules')
  return Object.fromEntries(others.map(({ id }) => [id, { enabled: false }]))
})()`

/** Whether no list is loading. While a list loads, it shows the previous rows dimmed, which fails contrast checks. */
const isSettled = `document.querySelector('[aria-busy=true]') === null`

/** Waits for color transitions between themes. */
const transitionsEnd = `Promise.all(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished.catch(() => {})))`

async function run(page: Page, leftOut?: string, rules = '{}'): Promise<AxeResults['violations']> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(source)
  await page.waitForFunction(isSettled)
  await page.evaluate(`${transitionsEnd}.then(() => {})`)
  const out = JSON.stringify(leftOut === undefined ? [] : [leftOut])
  // Hides the excluded part, because axe would also compute what overlaps there.
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
