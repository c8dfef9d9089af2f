import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { leaseEmbeddedServer } from '../../src/platform/database/embedded/lease.ts'
import { type Serving, serve } from '../processes/catalog-process.ts'
import { commandRunner } from '../processes/command-runner.ts'
import { familyOf, newToken, postmaster } from '../processes/served-shop.ts'
import { whenFileEnds } from '../setup/file-end.ts'
import { dataFolder, dataFolderOfFile } from '../setup/temporary-folder.ts'
import { recordFigures, spread, within } from './figures.ts'
import { away, read, served, startReaders } from './readers.ts'
import { isLong, rounds } from './scale.ts'

const shortened = { CATALOG_STATEMENT_TIMEOUT_SECONDS: '2' }

/** Stops processes, so that they hang. The returned function, or the end of the test, resumes them. */
function hang(pid: number): () => void {
  const family = familyOf(pid)
  for (const one of family) process.kill(one, 'SIGSTOP')
  const resume = () => {
    for (const one of family.splice(0)) process.kill(one, 'SIGCONT')
  }
  onTestFinished(resume)
  return resume
}

/** Kills the server, again if it recovered before a client noticed. Returns the time of the last kill. */
async function killUntilNoticed(folder: string, seen: Set<string>): Promise<number> {
  let killed = 0
  for (let tries = 0; tries < 5 && !seen.has(away); tries += 1) {
    killed = Date.now()
    process.kill(postmaster(folder), 'SIGKILL')
    await vi.waitUntil(() => seen.has(away), { timeout: 2_000, interval: 20 }).catch(() => {})
  }
  return killed
}

async function timed<Result>(work: Promise<Result>): Promise<[Result, number]> {
  const started = Date.now()
  return [await work, Date.now() - started]
}

describe('fault 4: one service, when', () => {
  const folder = dataFolderOfFile()
  const commands = commandRunner({ CATALOG_DATA: folder })
  let serving: Serving
  let firstStart: number
  let token: string
  beforeAll(async () => {
    ;[serving, firstStart] = await timed(serve(['--data', folder], shortened, whenFileEnds))
    token = (await newToken(commands)).token
  })
  const readOften = async () =>
    new Set(
      (await Promise.all(Array.from({ length: 20 }, () => read(serving, token)))).map(({ status }) => status),
    )

  test('the database is killed: 503 with Retry-After, and recovery within 5 seconds', async (context) => {
    const recoveries: number[] = []
    for (const _ of rounds(1, 20, 50)) {
      const { seen, end } = startReaders(serving, token)
      await expect.poll(() => seen).toEqual(new Set([served]))
      const started = await killUntilNoticed(folder, seen)
      expect(seen).toEqual(new Set([served, away]))
      await expect.poll(async () => (await read(serving, token)).status).toBe(200)
      recoveries.push(Date.now() - started)
      await end()
      expect(seen).toEqual(new Set([served, away]))
    }
    // On a busy machine: twice the time of the first start.
    if (!isLong) expect(Math.max(...recoveries)).toBeLessThan(Math.max(5_000, 2 * firstStart))
    const notes = [`Recovery: ${spread(recoveries)}`]
    recordFigures(context, {
      tried: recoveries.length,
      of: 'kills of the server',
      survived: within(5, recoveries),
      lost: 0,
      notes,
    })
  })

  test('the database hangs: 503 within a few seconds, and the pool works again when it wakes', async (context) => {
    const responseTimes: number[] = []
    for (const _ of rounds(1, 8, 60)) {
      expect(await readOften()).toEqual(new Set([200]))
      const resume = hang(postmaster(folder))
      const [during, milliseconds] = await timed(readOften())
      resume()
      expect(during).toEqual(new Set([503]))
      expect(milliseconds).toBeLessThan(8_000)
      responseTimes.push(milliseconds)
      await expect.poll(async () => (await read(serving, token)).status).toBe(200)
      expect(await readOften()).toEqual(new Set([200]))
    }
    const notes = [`time to 503: ${spread(responseTimes)}`]
    recordFigures(context, {
      tried: responseTimes.length,
      of: 'hangs (SIGSTOP)',
      survived: responseTimes.length,
      lost: 0,
      notes,
    })
  })

  test('the database hangs, SIGTERM ends it within 12 seconds', async () => {
    const own = dataFolder()
    const ownService = await serve(['--data', own], shortened)
    const resume = hang(postmaster(own))
    const [{ code }, end] = await timed(ownService.stop())
    resume()
    expect([code, end < 12_000]).toEqual([0, true])
    await (await leaseEmbeddedServer(own)).release()
  })
})
