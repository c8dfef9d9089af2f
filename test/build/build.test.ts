import { appendFileSync, existsSync, readdirSync, readlinkSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serve } from '../processes/catalog-process.ts'
import { dataFolder } from '../setup/temporary-folder.ts'
import { unbuiltCheckout } from './checkout.ts'

test('a service without a build serves the API and shows the build command; serve builds nothing', async () => {
  const { folder, program } = unbuiltCheckout()
  const { url, banner } = await serve(['--data', dataFolder()], {}, undefined, program)
  expect(banner).toContain('console: not built; run "npm run build" and restart the service')
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect((await fetch(`${url}/v2/products`)).status).toBe(401)
  const page = await fetch(url, { headers: { accept: 'text/html,*/*;q=0.8' } })
  expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  expect(await page.text()).toContain('npm run build')
  const problem = await fetch(`${url}/projects/1`)
  expect([problem.status, await problem.json()]).toEqual([
    503,
    expect.objectContaining({
      code: 'console_not_built',
      detail: expect.stringContaining('npm run build'),
    }),
  ])
  expect(existsSync(join(folder, 'build'))).toBe(false)
})

test('a build runs again only after the content of an input file has changed', () => {
  const { folder, build, copyBuild } = unbuiltCheckout()
  const current = () => readlinkSync(join(folder, 'build/program/current'))
  const source = join(folder, 'src/cli/main.ts')
  for (const part of ['program', 'console']) copyBuild(part)

  const first = current()
  expect(build('program')).toEqual({ status: 0, output: '' })
  utimesSync(source, 1, 1)
  appendFileSync(join(folder, 'src/cli/cli.test.ts'), '// not part of the program')
  expect(build('program')).toEqual({ status: 0, output: '' })
  expect(current()).toBe(first)

  appendFileSync(source, '\n// changed')
  const built = statSync(join(folder, 'build/program/current/main.mjs')).mtimeMs
  expect(build('console')).toEqual({ status: 0, output: '' })
  // Otherwise bin/catalog would run the program as it was before the change.
  expect(statSync(join(folder, 'build/program/current/main.mjs')).mtimeMs).toBe(built)

  expect(build('program')).toEqual({ status: 0, output: expect.stringContaining('Building the program') })
  expect(current()).not.toBe(first)
  // A service may still run from the previous build.
  expect(readdirSync(join(folder, 'build/program')).sort()).toEqual([first, current(), 'current'].sort())
})

test('npm start without a build and without build tools prints what to do and starts nothing', () => {
  const { start, removeBuildTools } = unbuiltCheckout()
  removeBuildTools()
  const { status, output } = start()
  expect(status).toBe(1)
  expect(output).toContain('npm ci --include=dev')
  expect(output).not.toContain('PostgreSQL')
})
