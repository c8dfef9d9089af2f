import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseJobs } from './choose-jobs.ts'

const jobsOf = (...projects: number[]) => projects.map((projectId, place) => ({ projectId, place }))
const places = (jobs: { place: number }[]) => jobs.map(({ place }) => place)

test('every project gets a first slot before another gets a second', () => {
  const due = jobsOf(1, 1, 1, 2, 3)
  expect(places(chooseJobs(due, [], { maxConcurrent: 4, maxPerProject: 4, reserved: 0 }))).toEqual([
    0, 3, 4, 1,
  ])
  expect(places(chooseJobs(due, jobsOf(2), { maxConcurrent: 3, maxPerProject: 4, reserved: 0 }))).toEqual([
    0, 4,
  ])
})

test('a project that runs a job leaves the reserved slots to projects that run none', () => {
  const limits = { maxConcurrent: 6, maxPerProject: 8, reserved: 2 }
  expect(places(chooseJobs(jobsOf(1, 1, 1, 1, 1, 1), [], limits))).toEqual([0, 1, 2, 3])
  expect(places(chooseJobs(jobsOf(1, 2, 3, 4), jobsOf(1, 1, 1, 1), limits))).toEqual([1, 2])
})

test('projects take turns for a single slot, whoever has waited longest', () => {
  const turns: number[] = []
  const waiting = jobsOf(3, 3, 3, 3, 1, 2)
  for (let last: number | undefined; waiting.length > 0; ) {
    const [job] = chooseJobs(waiting, [], { maxConcurrent: 1, maxPerProject: 1, reserved: 0 }, last)
    last = job?.projectId ?? 0
    turns.push(last)
    waiting.splice(
      waiting.findIndex(({ place }) => place === job?.place),
      1,
    )
  }
  expect(turns).toEqual([1, 2, 3, 3, 3, 3])
  expect(
    places(chooseJobs(jobsOf(1, 1, 2), [], { maxConcurrent: 1, maxPerProject: 1, reserved: 0 }, 1)),
  ).toEqual([2])
})

test('for any due and running jobs, the limits hold, and no usable slot stays empty', () => {
  const projects = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 30 })
  const limits = fc.record({
    maxConcurrent: fc.integer({ min: 1, max: 10 }),
    maxPerProject: fc.integer({ min: 1, max: 5 }),
    reserved: fc.integer({ min: 0, max: 4 }),
  })
  fc.assert(
    fc.property(projects, limits, (ids, { maxConcurrent, maxPerProject, reserved }) => {
      const due = jobsOf(...ids)
      const chosen = chooseJobs(due, [], { maxConcurrent, maxPerProject, reserved })
      const counts = Map.groupBy(chosen, ({ projectId }) => projectId)
      const most = Math.max(0, ...[...counts.values()].map(({ length }) => length))
      const left = due.filter((job) => !chosen.includes(job))
      const couldStart = left.filter(({ projectId }) => {
        const own = counts.get(projectId)?.length ?? 0
        return own < maxPerProject && chosen.length < (own === 0 ? maxConcurrent : maxConcurrent - reserved)
      })
      expect([chosen.length <= maxConcurrent, most <= maxPerProject, couldStart]).toEqual([true, true, []])
    }),
  )
})
