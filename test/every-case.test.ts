import { expect, test } from 'vitest'
import { everyCase } from './every-case.ts'

test('all cases are checked, and the table names each failure with its reason, in order', async () => {
  const checked: number[] = []
  const checking = everyCase(
    [1, 2, 3, 4],
    (one) => `case ${one}`,
    async (one) => {
      checked.push(one)
      expect(one % 2).toBe(1)
    },
  )
  await expect(checking).rejects.toThrow(
    /^2 of 4 cases fail:\ncase 2 \| expected \+0 to be 1.*\ncase 4 \| expected \+0 to be 1/,
  )
  expect(checked).toEqual([1, 2, 3, 4])
})

test('a guarantee without cases fails', async () => {
  await expect(everyCase([], String, async () => {})).rejects.toThrow('cases to check')
})
