import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Ends the run with what was not tested, and why, so that a pass is not taken for more than it is. */
export const tellSkipped: Reporter = {
  onTestRunEnd(modules) {
    const skipped = modules.filter(isWhole).flatMap((module) => [...module.children.allTests('skipped')])
    const lines = skipped.map((test) => `${test.module.relativeModuleId}: ${test.fullName} (${reason(test)})`)
    if (lines.length > 0) console.log(['\nNot tested here:', ...lines].join('\n  '))
  },
}

/** Nobody who asks for tests by their name wants to read the names of all others. */
function isWhole({ project }: TestModule): boolean {
  return project.config.testNamePattern === undefined
}

function reason(test: TestCase): string {
  const result = test.result()
  return (result.state === 'skipped' && result.note) || 'not for this system or this user'
}
