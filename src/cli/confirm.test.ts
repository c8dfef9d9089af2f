import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { confirm } from './confirm.ts'

const asked = { question: 'Type its name, Shop:', expected: 'Shop', option: '--name' }

function terminal(typed: string, isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY })
  input.end(typed)
  return { input, output: new PassThrough() }
}

test('a typed name that matches is a confirmation', async () => {
  const { input, output } = terminal('Shop\nmore\n')
  await confirm(asked, { input, output })
  expect(String(output.read())).toBe('Type its name, Shop: ')
})

test.each(['shop\n', 'yes\n', '\n', ''])('%j does not match: nothing is deleted', async (typed) => {
  await expect(confirm(asked, terminal(typed))).rejects.toThrow(
    'the text does not match "Shop"; nothing was deleted',
  )
})

test('without a terminal, the error names the option to use', async () => {
  await expect(confirm(asked, terminal('Shop\n', false))).rejects.toThrow('use --name')
})
