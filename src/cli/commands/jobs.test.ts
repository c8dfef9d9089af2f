import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { until } from '../../../test/database/blocked.ts'
import { connectionUrl, ownDatabase } from '../../../test/database/test-database.ts'
import {
  breakPreparation,
  hurryPreparation,
  preparationJobOf,
  proposeEdit,
  shopWithProduct,
} from '../../../test/failing-preparation.ts'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { type CommandRunner, commandRunner } from '../../../test/processes/command-runner.ts'
import { webhookLimits } from '../../delivery/limits.ts'
import { sql } from '../../platform/database/sql.ts'
import { jobLimits } from '../../platform/limits/jobs.ts'

let service: TestService
let commands: CommandRunner
beforeAll(async () => {
  const connection = await ownDatabase('jobs_command')
  const flags = { webhookAllow: ['127.0.0.0/8'], statementTimeoutSeconds: 60 }
  // No delivery starts, so that their jobs stay due.
  service = await startTestService(flags, connection, {
    jobLimits: { ...jobLimits, pollMilliseconds: 20, renewMilliseconds: 100 },
    webhookLimits: { ...webhookLimits, webhooksAtOnce: 0, sweepMilliseconds: 3_600_000 },
  })
  commands = commandRunner({ DATABASE_URL: connectionUrl(connection) })
})

const jobs = (...args: unknown[]) => ['jobs', ...args.map(String)]
const shown = async (shop: Tenant, id: number) => (await shop.call(`/v2/proposals/${id}`)).body
const auditLines = (project: number | null, noun = 'job') =>
  service.database.query(sql<{ actor: string; action: string; target: string; details: object }>`
    select actor, action, target, details from audit_entries
    where project_id is not distinct from ${project} and action like ${`${noun}.%`} order by id`)
const byCommand = expect.stringMatching(/^command line/)

async function isGivenUpLater(): Promise<boolean> {
  const waiting = await service.database.query(sql`
    select from pg_stat_activity where query like '%update proposals set state = ''failed''%' and wait_event_type = 'Lock'`)
  return waiting.length > 0
}

async function brokenProposal() {
  const shop = await shopWithProduct(service)
  const repair = await breakPreparation(service, shop.project)
  onTestFinished(repair)
  const proposal = await proposeEdit(shop)
  const job = async () => (await preparationJobOf(service, proposal))?.id
  await expect.poll(async () => (await preparationJobOf(service, proposal))?.attempts).toBeGreaterThan(0)
  return { shop, proposal, repair, job: await job() }
}

async function dueDelivery(): Promise<{ shop: Tenant; webhook: number; job: number }> {
  const shop = await service.tenant()
  const made = await shop.call('/v2/webhooks', { method: 'POST', body: { url: 'http://127.0.0.1:9/' } })
  const [job] = await commands.catalogJson(jobs('list', '--project', shop.project))
  return { shop, webhook: made.body.id, job: job.id }
}

test('a proposal that failed to prepare opens after catalog jobs retry, which the audit trail records', async () => {
  const { shop, proposal, repair, job } = await brokenProposal()
  await expect.poll(() => hurryPreparation(service, proposal)).toBe('failed')
  const [failed, ...others] = await commands.catalogJson(
    jobs('list', '--project', shop.project, '--state', 'failed', '--kind', 'proposal.prepare'),
  )
  expect([failed, others]).toMatchObject([
    {
      ...{
        id: job,
        project_id: shop.project,
        kind: 'proposal.prepare',
        key: String(proposal),
        state: 'failed',
      },
      ...{ attempts: 5, due_at: null, lease_until: null, failed_at: expect.any(String) },
      last_error: 'no line can be written',
    },
    [],
  ])
  const { stdout } = await commands.catalog(jobs('list', '--state', 'failed'))
  expect(stdout).toMatch(/^id +project +kind +key +state +attempts +due_at +last_error\n/)
  expect(stdout).toMatch(
    new RegExp(
      `^${job} +${shop.project} +proposal\\.prepare +${proposal} +failed +5 +- +no line can be written$`,
      'm',
    ),
  )

  await repair()
  expect(await commands.catalogJson(jobs('retry', job))).toMatchObject({ id: job, state: 'due', attempts: 0 })
  await expect.poll(() => preparationJobOf(service, proposal)).toBeUndefined()
  expect(await shown(shop, proposal)).toMatchObject({ state: 'open', reason: null, summary: { prepared: 1 } })
  const details = { kind: 'proposal.prepare', key: String(proposal), state: 'failed', attempts: 5 }
  expect(await auditLines(shop.project)).toEqual([
    { actor: byCommand, action: 'job.retry', target: `job ${job}`, details },
  ])
})

test('a preparing proposal becomes failed, with its reason, when its job is canceled', async () => {
  const { shop, proposal, job } = await brokenProposal()
  expect(await commands.catalogJson(jobs('cancel', job))).toMatchObject({ id: job, canceled: true })
  expect(await shown(shop, proposal)).toMatchObject({ state: 'failed', reason: 'Canceled by an operator.' })
  expect(await preparationJobOf(service, proposal)).toBeUndefined()
  expect(await auditLines(shop.project)).toMatchObject([
    { actor: byCommand, action: 'job.cancel', target: `job ${job}` },
  ])
  expect((await commands.catalog(jobs('retry', job))).stderr).toContain(`no job ${job}`)
})

test('a running job can be canceled, and the service that runs it cannot restore it', async () => {
  const shop = await shopWithProduct(service)
  onTestFinished(await breakPreparation(service, shop.project))
  const { proposal, canceled } = await service.database.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${shop.project})`)
    const id = await proposeEdit(shop)
    const running = () => commands.catalogJson(jobs('list', '--project', shop.project, '--state', 'running'))
    await expect.poll(running).toMatchObject([{ lease_until: expect.any(String) }])
    const [job] = await running()
    const act = commands.catalogJson(jobs('cancel', job.id))
    // It waits for the step that the service is at.
    await until(isGivenUpLater)
    return { proposal: id, canceled: act }
  })
  expect(await canceled).toMatchObject({ state: 'running', canceled: true })
  expect(await shown(shop, proposal)).toMatchObject({ state: 'failed', reason: 'Canceled by an operator.' })
  expect(await commands.catalogJson(jobs('list', '--project', shop.project))).toEqual([])
})

test('the delivery job of a webhook is canceled by disabling the webhook, and a failed one is retried by enabling it', async () => {
  const { shop, webhook, job } = await dueDelivery()
  const state = async () => (await shop.call(`/v2/webhooks/${webhook}`)).body
  await commands.catalogJson(jobs('cancel', job))
  expect(await state()).toMatchObject({ state: 'disabled', disabled_reason: 'by_hand' })
  expect(await commands.catalogJson(jobs('list', '--project', shop.project))).toEqual([])

  const other = await dueDelivery()
  const fail = (reason: string) =>
    service.database.transaction(async (tx) => {
      await tx.query(sql`update jobs set failed_at = now(), due_at = 'infinity' where id = ${other.job}`)
      await tx.query(
        sql`update webhooks set disabled_reason = ${reason}, disabled_at = now() where id = ${other.webhook}`,
      )
    })
  const retried = async () => {
    await commands.catalogJson(jobs('retry', other.job))
    return (await other.shop.call(`/v2/webhooks/${other.webhook}`)).body.disabled_reason
  }
  await fail('by_hand')
  expect(await retried()).toBe('by_hand')
  await fail('failing')
  expect(await retried()).toBeNull()
  expect((await auditLines(other.shop.project, 'webhook')).at(-1)).toMatchObject({
    actor: byCommand,
    action: 'webhook.enable',
  })
})

test('recurring jobs and scoring cannot be canceled, a recurring job can be run now, and a rejected cancel is not recorded', async () => {
  const shop = await shopWithProduct(service)
  await service.database.query(sql`
    insert into jobs (project_id, kind, key, due_at) values (${shop.project}, 'quality.score', '', 'infinity')`)
  const [scoring] = await commands.catalogJson(jobs('list', '--project', shop.project))
  const refused = async (id: number) => {
    const { code, stdout, stderr } = await commands.catalog(jobs('cancel', id))
    expect([code, stdout]).toEqual([1, ''])
    return stderr
  }
  expect(await refused(scoring.id)).toMatch(/cannot cancel job \d+: .*score of older quality rules/)
  expect(await auditLines(shop.project)).toEqual([])
  const maintenance = () => commands.catalogJson(jobs('list', '--kind', 'upkeep', '--state', 'waiting'))
  await expect.poll(async () => (await maintenance()).some(isSlow)).toBe(true)
  const task = (await maintenance()).find(isSlow)
  expect(await refused(task.id)).toMatch(/cannot cancel job \d+: the service needs this recurring job/)
  await commands.catalogJson(jobs('retry', task.id))
  const nextRun = async () => {
    const [row] = await service.database.query(
      sql<{
        due_at: string
      }>`select due_at from jobs where id = ${task.id} and owner is null and due_at > now()`,
    )
    return row !== undefined && row.due_at > task.due_at
  }
  await expect.poll(nextRun).toBe(true)
  expect(await auditLines(null)).toMatchObject([
    { action: 'job.retry', details: { kind: 'upkeep', key: task.key } },
  ])
})

const isSlow = ({ key }: { key: string }) => key === 'old responses'

test.each([
  [['retry', '999999999'], 'there is no job 999999999'],
  [['cancel', '999999999'], 'there is no job 999999999'],
  [['list', '--project', '999999999'], 'no project 999999999'],
  [['list', '--kind', 'webhook'], 'Allowed choices are webhook.deliver, proposal.prepare'],
  [['list', '--state', 'done'], 'Allowed choices are running, due, waiting, failed'],
  [['list', '--limit', '501'], 'The maximum is 500'],
])('catalog jobs %j fails with a clear line', async (args, message) => {
  const { code, stdout, stderr } = await commands.catalog(jobs(...args))
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain(message)
})

test('a truncated list is reported', async () => {
  const { stdout, stderr } = await commands.catalog(jobs('list', '--limit', '1'))
  expect(stdout.trimEnd().split('\n')).toHaveLength(2)
  expect(stderr).toContain('showing the first 1 jobs')
})
