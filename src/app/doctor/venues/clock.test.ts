import { expect, test } from 'vitest'
import { judgeSkews } from './clock.ts'

const told = (...skews: number[]) =>
  skews.map((skewMs, at) => ({ venue: `venue ${at}`, skewMs, errorMs: 20 }))

test.each([
  ['all agree', [0, 40, -80], 'ok'],
  ['just inside', [1_000, -1_000], 'ok'],
  ['just outside', [1_001, 1_001], 'failure'],
  ['behind', [-1_001], 'failure'],
  ['one venue is wrong', [5_000, 10, -30], 'warning'],
])('%s', (_, skews, state) => {
  expect(judgeSkews(told(...skews))).toMatchObject({ state })
})

test('a round trip that is too long to know is no proof of a wrong clock', () => {
  expect(judgeSkews([{ venue: 'far', skewMs: 1_500, errorMs: 1_600 }]).state).toBe('ok')
  expect(judgeSkews([{ venue: 'far', skewMs: 1_700, errorMs: 1_600 }]).state).toBe('failure')
})

test('without any answer nothing is known', () => {
  expect(() => judgeSkews([])).toThrow('no venue tells the time')
})
