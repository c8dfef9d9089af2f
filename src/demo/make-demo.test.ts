import { expect, test } from 'vitest'
import { cookieOf, signIn } from '../../test/console-user.ts'
import { startTestService } from '../../test/harness.ts'
import { ownDatabase } from '../../test/test-database.ts'
import { demoProducts } from './demo-products.ts'
import { type Demo, makeDemo } from './make-demo.ts'

test('a demo made again ends the last token and passwords but no session, and all of it stands in the audit trail', async () => {
  const service = await startTestService({}, await ownDatabase('demo'))
  const first = (await makeDemo(service.database)) as Demo
  const { email, password } = first.sign_ins.operator
  const cookie = cookieOf(await signIn(service, email, password))

  const second = (await makeDemo(service.database)) as Demo
  expect([first.products, second.products]).toEqual([1000, 0])
  const status = async (token: string) => (await service.call('/v2/project', { token })).status
  expect([await status(first.token), await status(second.token)]).toEqual([401, 200])
  expect((await signIn(service, email, password)).status).toBe(401)
  const unbound = await service.call('/v2/products?unbound=true', { token: second.token })
  expect(unbound.body).toMatchObject({ count: 0 })

  const { status: signedIn, body } = await service.call('/console/api/operator/audit', {
    headers: { cookie },
  })
  expect(signedIn).toBe(200)
  const lines: { actor: string; action: string }[] = body.results.toReversed()
  expect(lines.map(({ action }) => action)).toEqual([
    ...['project.create', 'project.create', 'token.create', 'user.create', 'user.create'],
    ...['token.revoke', 'token.create', 'user.reset_password', 'user.reset_password'],
  ])
  expect(new Set(lines.map(({ actor }) => actor))).toEqual(new Set(['demo']))
})

test('what the products of the demo are to each other agrees with what they say', () => {
  const products = demoProducts().flat()
  const bySku = new Map(products.map((product) => [product.sku, product]))
  const variants = Map.groupBy(products, ({ parent }) => parent?.sku)
  const parents = products.filter(({ product_type }) => product_type === 'configurable')
  const values = ({ sku, variant_axes }: (typeof parents)[0]) =>
    (variants.get(sku) ?? []).map(({ attributes }) => variant_axes.map((axis) => attributes[axis]))
  expect(parents.filter((parent) => values(parent).length < 2 || parent.variant_axes.length === 0)).toEqual(
    [],
  )
  expect(parents.filter((parent) => values(parent).flat().includes(undefined))).toEqual([])

  const apart = ({ components }: (typeof products)[0]) =>
    components
      .filter(({ choice, default: isDefault }) => choice === undefined || isDefault)
      .reduce((sum, { sku = '', quantity = 1 }) => sum + quantity * (bySku.get(sku)?.price ?? Number.NaN), 0)
  const bundles = products.filter(({ product_type, price }) => product_type === 'bundle' && price !== null)
  expect(bundles.length).toBeGreaterThan(30)
  for (const bundle of bundles) {
    const share = (bundle.price as number) / apart(bundle)
    expect([bundle.sku, share > 0.8 && share < 0.95]).toEqual([bundle.sku, true])
  }
  const groups = products.filter(({ product_type }) => product_type === 'grouped')
  expect(groups.every(({ components }) => components.length > 1)).toBe(true)
})
