import { expect, test } from 'vitest'
import { networkOf } from './client-network.ts'

test.each([
  ['203.0.113.9', '203.0.113.0/24'],
  ['203.0.114.9', '203.0.114.0/24'],
  ['20010db800010002/64', '20010db80001/48'],
  ['20010db80001ffff/64', '20010db80001/48'],
  ['20010db800020002/64', '20010db80002/48'],
  ['somebody', 'somebody'],
])('%s belongs to %s', (client, network) => {
  expect(networkOf(client)).toBe(network)
})
