import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { serve } from '../processes/catalog-process.ts'
import { commandRunner } from '../processes/command-runner.ts'
import { newToken } from '../processes/served-shop.ts'
import { dataFolderOfFile } from '../setup/temporary-folder.ts'
import { recordFigures, spread, within } from './figures.ts'
import { ownServer } from './own-server.ts'
import { away, read, served, startReaders } from './readers.ts'

// Alternates fast shutdowns and kills. The last one lasts 30 seconds.
const pauseSeconds = [0, 0, 0, 0, 0, 0, 0, 0, 0, 30]

test('fault 4: the service reconnects to a server that restarts, or stops for 30 seconds, under load', async (context) => {
  const server = ownServer(dataFolderOfFile())
  await server.start()
  const environment = { CATALOG_STATEMENT_TIMEOUT_SECONDS: '2', DATABASE_URL: server.url }
  const serving = await serve([], environment)
  const { token } = await newToken(commandRunner(environment))
  const recoveries: number[] = []
  for (const [round, seconds] of pauseSeconds.entries()) {
    const { seen, end } = startReaders(serving, token)
    await expect.poll(() => seen).toContain(served)
    await server.stop(round % 2 === 0 ? 'SIGINT' : 'SIGKILL')
    await expect.poll(() => seen).toContain(away)
    await sleep(seconds * 1_000)
    await server.start()
    const began = Date.now()
    await expect.poll(async () => (await read(serving, token)).status).toBe(200)
    recoveries.push(Date.now() - began)
    await end()
    expect(seen).toEqual(new Set([served, away]))
  }
  await serving.stop()
  const of = 'restarts of a server, one after 30 seconds'
  const notes = [`recovery after the server started: ${spread(recoveries)}`]
  recordFigures(context, { tried: recoveries.length, of, survived: within(5, recoveries), lost: 0, notes })
})
