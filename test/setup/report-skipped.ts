import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Prints what was not tested and why at the end of the run. */
export const reportSkipped: Reporter = {
  onTestRunEnd(modules) {
    const skipped = modules.filter(isWhole).flatMap((module) => [...module.children.allTests('skipped')])
    const lines = skipped.map((test) => `${test.module.relativeModuleId}: ${test.fullName} (${reason(test)})`)
    if (lines.length > 0) console.log(['\nNot tested:', ...lines].join('\n  '))
  },
}

/** A run of tests by name does not list the others. */
function isWhole({ project }: TestModule): boolean {
  return project.config.testNamePattern === undefined
}

function reason(test: TestCase): string {
  const result = test.result()
  return (result.state === 'skipped' && result.note) || 'not supported for this system or user'
}
