import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** These wait for processes, so the size of their files says nothing about their duration. */
const long = /\/test\/(documents\.test|packaging\.test|faults\/|freshness\/|rolling\/|build\/)/

/** Starts the longest files first, so that no worker idles at the end. Vitest knows durations only after the first run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    // Files of a project stay together, because a worker that changes its project starts again.
    return [...Map.groupBy(sorted, ({ project }) => project.name).values()].flatMap((own) => [
      ...own.filter(({ moduleId }) => long.test(moduleId)),
      ...own.filter(({ moduleId }) => !long.test(moduleId)),
    ])
  }
}
