import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { serve } from '../processes/catalog-process.ts'
import { commandRunner } from '../processes/command-runner.ts'
import { newToken } from '../processes/served-shop.ts'
import { dataFolderOfFile } from '../setup/temporary-folder.ts'
import { recordFigures, spread, within } from './figures.ts'
import { ownServer } from './own-server.ts'
import { ask, away, served, startReaders } from './readers.ts'

// Fast shutdowns and kills in turns; the last is away for half a minute.
const pauseSeconds = [0, 0, 0, 0, 0, 0, 0, 0, 0, 30]

test('fault 4: a server that is restarted, or stopped for 30 seconds under load, is met again by itself', async (context) => {
  const server = ownServer(dataFolderOfFile())
  await server.start()
  const environment = { CATALOG_STATEMENT_TIMEOUT_SECONDS: '2', DATABASE_URL: server.url }
  const serving = await serve([], environment)
  const { token } = await newToken(commandRunner(environment))
  const recoveries: number[] = []
  for (const [round, seconds] of pauseSeconds.entries()) {
    const { heard, end } = startReaders(serving, token)
    await expect.poll(() => heard).toContain(served)
    await server.stop(round % 2 === 0 ? 'SIGINT' : 'SIGKILL')
    await expect.poll(() => heard).toContain(away)
    await sleep(seconds * 1_000)
    await server.start()
    const began = Date.now()
    await expect.poll(async () => (await ask(serving, token)).status).toBe(200)
    recoveries.push(Date.now() - began)
    await end()
    expect(heard).toEqual(new Set([served, away]))
  }
  await serving.stop()
  const of = 'restarts of a server, one after 30 seconds'
  const notes = [`Recovery after the server started: ${spread(recoveries)}`]
  recordFigures(context, { tried: recoveries.length, of, survived: within(5, recoveries), lost: 0, notes })
})
