import { expect, test } from 'vitest'
import { silentLog } from '../../../core/log.ts'
import { openAccountStore } from './account-store.ts'
import { createApiKeys } from './api-keys.ts'

const addressOf = (number: number) => `0x${number.toString(16).padStart(40, '0')}`

test('who makes a thousand keys locks nobody out, least of all the operator', () => {
  let nowMs = 0
  const { keys: table } = openAccountStore({ log: silentLog })
  const operator = addressOf(1)
  const keys = createApiKeys(table, () => ++nowMs, operator.toUpperCase().replace('0X', '0x'))
  const own = keys.create(operator, '0')
  const idle = keys.create(addressOf(2), '0')
  const busy = keys.create(addressOf(3), '0')
  for (let number = 10; number < 2_000; number++) {
    keys.create(addressOf(number), '0')
    keys.touch(busy.id)
  }
  expect(table.all()).toHaveLength(1_000)
  expect([own, idle, busy].map(({ id }) => keys.find(id) !== undefined)).toEqual([true, false, true])
  expect(keys.create(addressOf(2), '0').id).not.toBe(idle.id)
})
