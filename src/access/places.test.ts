import { expect, test } from 'vitest'
import { createPlaces } from './places.ts'

const LIMITS = { client: 2, network: 3, all: 5 }
const held = (taken: unknown) => (typeof taken === 'function' ? 'held' : taken)

test('places are taken for a client, its network and all, whichever is full first', () => {
  const { take } = createPlaces(LIMITS)
  const clients = ['1.1.1.1', '1.1.1.1', '1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.2.1', '1.1.3.1', '1.1.4.1']
  expect(clients.map((client) => held(take(client)))).toEqual([
    ...['held', 'held', 'client', 'held', 'network', 'held', 'held', 'all'],
  ])
})

test('lines of one IPv6 customer share the places of their /48', () => {
  const { take } = createPlaces(LIMITS)
  const lines = ['0001', '0002', '0003', '0004'].map((line) => `20010db80001${line}/64`)
  expect(lines.map((line) => held(take(line)))).toEqual(['held', 'held', 'held', 'network'])
  expect(held(take('20010db800020001/64'))).toBe('held')
})

test('a place that is given back, once or twice, is one place', () => {
  const { take } = createPlaces({ client: 1, network: 1, all: 1 })
  const giveBack = take('a')
  expect([held(giveBack), held(take('a')), held(take('b'))]).toEqual(['held', 'client', 'all'])
  if (typeof giveBack === 'function') {
    giveBack()
    giveBack()
  }
  expect([held(take('a')), held(take('b'))]).toEqual(['held', 'all'])
})
