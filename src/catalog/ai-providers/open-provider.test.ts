import { beforeAll, describe, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { changeProject } from '../../access/projects/manage-project.ts'
import { sql } from '../../platform/database/sql.ts'
import { secretCipher } from '../../platform/secrets/secret-cipher.ts'
import { openProvider } from './open-provider.ts'

const operator = { name: 'operator' }
const models = JSON.stringify([
  { name: 'small', input_price: 0.15, output_price: 0.6, max_output_tokens: 4096 },
])

let service: TestService
let shop: Tenant
beforeAll(async () => {
  // Offers reach all projects of a plan, also those of other tests.
  service = await startTestService({}, await ownDatabase('offers'))
  shop = await service.tenant()
})

const cipher = () => secretCipher(service.database, [])
const open = (name: string, { project } = shop) => openProvider(service.database, cipher(), project, name)

async function insertOwn(name: string, key: string | null, state = 'enabled'): Promise<void> {
  await service.database.query(sql`
    insert into ai_providers (project_id, name, kind, base_url, key, currency, models, concurrency, monthly_budget, state)
    values (${shop.project}, ${name}, 'openai-compatible', 'https://models.example/v1', ${key}, 'EUR', ${models}, 4, 2500000, ${state})`)
}

async function insertOffer(name: string, plans: string[]): Promise<void> {
  const key = await cipher().encryptText({ projectId: 0, purpose: 'ai_provider' }, 'sk-offered')
  await service.database.query(sql`
    insert into ai_offers (name, kind, base_url, key, currency, models, concurrency, plans, project_cap)
    values (${name}, 'anthropic', 'https://models.example/v1', ${key}, 'USD', ${models}, 2, ${plans}, 5000000)`)
}

describe("a project's own provider", () => {
  test('has its key, and its prices and budget in millionths', async () => {
    const key = await cipher().encryptText({ projectId: shop.project, purpose: 'ai_provider' }, 'sk-own')
    await insertOwn('own', key)
    expect(await open('own')).toEqual({
      provider: {
        ...{ name: 'own', kind: 'openai-compatible', base_url: 'https://models.example/v1', key: 'sk-own' },
        models: [{ name: 'small', input_price: 150_000n, output_price: 600_000n, max_output_tokens: 4096 }],
        ...{ currency: 'EUR', concurrency: 4, requests_per_minute: null, monthly_budget: 2_500_000n },
        ...{ findings: null, isOffered: false, cap: null },
      },
    })
  })

  test('that is missing, disabled, of another project or has an unreadable key is not opened', async () => {
    await insertOwn('off', null, 'disabled')
    await insertOwn('unreadable', 'abcdef01.AAAA')
    expect(await open('missing')).toEqual({ reason: 'provider_gone' })
    expect(await open('off')).toEqual({ reason: 'provider_disabled' })
    expect(await open('unreadable')).toEqual({ reason: 'key_unreadable' })
    expect(await open('off', await service.tenant())).toEqual({ reason: 'provider_gone' })
  })
})

describe('an offered provider', () => {
  test('cannot be tested by a project, because the cap of the operator does not limit tests', async () => {
    const other = await service.tenant()
    const name = `tested-${other.project}`
    await insertOffer(name, ['enterprise'])
    const { status, body } = await other.call(`/v2/ai-providers/${name}/test`, { method: 'POST' })
    expect([status, body.code]).toEqual([409, 'provider_offered'])
  })

  test('belongs to the projects of its plans, with the cap, and each project counts its own calls', async () => {
    const name = `offer-${shop.project}`
    await insertOffer(name, ['enterprise'])
    const expected = {
      provider: { key: 'sk-offered', isOffered: true, cap: 5_000_000n, monthly_budget: null },
    }
    expect(await open(name)).toMatchObject(expected)
    expect(await open(name)).toMatchObject(expected)
    const rows = await service.database.query(sql`
      select offer from ai_providers where project_id = ${shop.project} and name = ${name}`)
    expect(rows).toEqual([{ offer: name }])
  })

  test('is gone after a downgrade of the project, and after the operator removes it', async () => {
    const [tenant, name] = [await service.tenant(), `removed-${shop.project}`]
    await insertOffer(name, ['enterprise', 'pro'])
    expect(await open(name, tenant)).toHaveProperty('provider')
    await changeProject(service.database, operator, tenant.project, { plan: 'free' })
    expect(await open(name, tenant)).toEqual({ reason: 'provider_gone' })
    await changeProject(service.database, operator, tenant.project, { plan: 'pro' })
    expect(await open(name, tenant)).toHaveProperty('provider')
    await service.database.query(sql`delete from ai_offers where name = ${name}`)
    expect(await open(name, tenant)).toEqual({ reason: 'provider_gone' })
  })

  test("gives way to a project's own provider of the same name", async () => {
    const name = `both-${shop.project}`
    await insertOffer(name, ['enterprise'])
    await insertOwn(name, null)
    expect(await open(name)).toMatchObject({ provider: { key: null, isOffered: false } })
  })
})
