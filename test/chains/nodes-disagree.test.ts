import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChains } from '../../src/app/chains.ts'
import { systemClock } from '../../src/core/time/clock.ts'
import type { Payment } from '../../src/payments/gate/payment.ts'
import type { FaultyNode, NodeFaults } from '../../src/sandbox/chains/faulty-node.ts'
import { type ChainWorld, openChainWorld, paymentOn } from './chain-world.ts'

let world: ChainWorld
let nodes: readonly [FaultyNode, FaultyNode]
let unused: Payment
let used: Payment
beforeAll(async () => {
  world = await openChainWorld()
  nodes = world.nodes
  unused = (await paymentOn(world)).payment
  const sent = await paymentOn(world)
  used = sent.payment
  await sent.settle()
  // By the chain's own time both have expired long ago.
  await world.evm.rpc('evm_increaseTime', 100_000)
  await world.evm.mine(1)
})
afterAll(() => world.close())

function judge(first: NodeFaults, second: NodeFaults, payment: Payment) {
  nodes[0].fail(first)
  nodes[1].fail(second)
  const { referee } = openChains({
    clock: systemClock,
    config: { mode: 'sandbox', chains: { evmConfirmations: [], svmFinalizedFrom: undefined } },
    rpc: { evm: nodes.map(({ url }) => url), svm: [] },
  })
  return referee.outcome(payment, undefined, systemClock.now()).then(
    ({ kind }) => kind as string,
    () => 'unknown',
  )
}

const BLIND = { isBlind: true }
const DOWN = { status: 429 }
test.each<[string, NodeFaults, NodeFaults, string]>([
  ['both well', {}, {}, 'dead'],
  ['one is down', DOWN, {}, 'open'],
  ['the other is down', {}, DOWN, 'open'],
  ['one is of another chain', { chainId: 1 }, {}, 'open'],
  ['both are down', DOWN, DOWN, 'unknown'],
])('expired and unused: %s', async (_, first, second, decided) => {
  expect(await judge(first, second, unused)).toBe(decided)
})

test.each<[string, NodeFaults, NodeFaults, string]>([
  ['both well', {}, {}, 'paid'],
  ['one sees nothing', BLIND, {}, 'paid'],
  ['the other sees nothing', {}, BLIND, 'paid'],
  ['one sees nothing, the other is down', BLIND, DOWN, 'open'],
  ['one has no logs any more', { isPruned: true }, {}, 'paid'],
  ['none has logs any more', { isPruned: true }, { isPruned: true }, 'unknown'],
])('expired and used: %s', async (_, first, second, decided) => {
  expect(await judge(first, second, used)).toBe(decided)
})
