import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { confirm } from './confirm.ts'

const asked = { question: 'Type its name, Shop:', expected: 'Shop', option: '--name' }

function terminal(typed: string, isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY })
  input.end(typed)
  return { input, output: new PassThrough() }
}

test('goes on when the name was typed', async () => {
  const { input, output } = terminal('Shop\nmore\n')
  await confirm(asked, { input, output })
  expect(String(output.read())).toBe('Type its name, Shop: ')
})

test.each(['shop\n', 'yes\n', '\n', ''])('%j is not the name: nothing is done', async (typed) => {
  await expect(confirm(asked, terminal(typed))).rejects.toThrow('that is not "Shop"; nothing was deleted')
})

test('without a terminal it says which option to use', async () => {
  await expect(confirm(asked, terminal('Shop\n', false))).rejects.toThrow('say it with --name')
})
