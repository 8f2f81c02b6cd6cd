import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openChains } from '../../src/app/chains.ts'
import { systemClock } from '../../src/core/time/clock.ts'
import { createJsonRpc } from '../../src/payments/chain/json-rpc.ts'
import type { Review, Settled } from '../../src/payments/finality/ports.ts'
import type { NodeFaults } from '../../src/sandbox/chains/faulty-node.ts'
import { type ChainWorld, openChainWorld, paymentOn } from './chain-world.ts'

const NETWORK = 'eip155:8453'
/** More than the local chain's finalized block is behind its head. */
const UNTIL_FINAL_BLOCKS = 70
let world: ChainWorld
let start: unknown
beforeAll(async () => {
  world = await openChainWorld()
})
beforeEach(async () => {
  start = await world.evm.rpc('evm_snapshot')
})
/** Back to the first time as well, by which payments are signed. */
afterEach(async () => {
  for (const node of world.nodes) node.fail({})
  await world.evm.rpc('evm_revert', start)
})
afterAll(() => world.close())

function chainOf(count: 1 | 2) {
  const { referee } = openChains({
    clock: systemClock,
    config: { mode: 'sandbox', chains: { evmConfirmations: [], svmFinalizedFrom: undefined } },
    rpc: { evm: world.nodes.slice(0, count).map(({ url }) => url), svm: [] },
  })
  return referee
}
async function review(settled: Settled, count: 1 | 2 = 1): Promise<Review | undefined> {
  const [found] = await chainOf(count).review(NETWORK, [settled])
  return found
}
async function settledPayment(made?: Awaited<ReturnType<typeof paymentOn>>) {
  const { payment, settle } = made ?? (await paymentOn(world))
  const claimedAtMs = systemClock.now()
  const transaction = await settle()
  return { settle, settled: { payment, transaction, claimedAtMs, settledAtMs: systemClock.now() } }
}
const readHead = (rpcUrl: string) => createJsonRpc({ rpcUrl, timeoutMs: 5_000 }).call('eth_blockNumber', [])
async function headTimeMs() {
  const { timestamp } = (await world.evm.rpc('eth_getBlockByNumber', 'latest', false)) as {
    timestamp: string
  }
  return Number(timestamp) * 1_000
}
/** Taken back by the chain, which then goes on. */
async function undonePayment(meanwhile: () => Promise<unknown> = async () => {}) {
  const { rpc } = world.evm
  const made = await paymentOn(world)
  const snapshot = await rpc('evm_snapshot')
  const { settled, settle } = await settledPayment(made)
  const seen = { ...settled, settledAtMs: await headTimeMs() }
  await rpc('evm_revert', snapshot)
  await meanwhile()
  await letTimePass()
  return { settled: seen, settle }
}
async function letTimePass(): Promise<void> {
  await world.evm.rpc('evm_increaseTime', 60)
  await world.evm.mine(UNTIL_FINAL_BLOCKS)
}

test('a payment is final once its block is, and not before', async () => {
  const { settled } = await settledPayment()
  expect(await review(settled)).toEqual({ kind: 'early' })
  await world.evm.mine(UNTIL_FINAL_BLOCKS)
  expect(await review(settled)).toEqual({ kind: 'final', transaction: settled.transaction })
})

test('a transaction that is not the one is looked up, and the right one told', async () => {
  const { settled } = await settledPayment()
  await world.evm.mine(UNTIL_FINAL_BLOCKS)
  const other = { ...settled, transaction: `0x${'ab'.repeat(32)}` }
  expect(await review(other)).toEqual({ kind: 'final', transaction: settled.transaction })
})

test('one that was taken back is undone, and final where it was sent again', async () => {
  const { settled, settle } = await undonePayment()
  expect(await review(settled)).toEqual({ kind: 'undone', isOver: false })
  const transaction = await settle()
  expect(await review(settled)).toEqual({ kind: 'early' })
  await world.evm.mine(UNTIL_FINAL_BLOCKS)
  expect(await review(settled)).toEqual({ kind: 'final', transaction })
})

test.each<[string, NodeFaults, NodeFaults, Review['kind']]>([
  ['both say so', {}, {}, 'undone'],
  ['one is down', {}, { status: 429 }, 'early'],
  ['the other is down', { status: 429 }, {}, 'early'],
  ['one stands still before it', {}, { isStale: true }, 'early'],
  ['one has no tag', {}, { hasNoFinalTag: true }, 'early'],
])('undone takes two nodes: %s', async (_, first, second, kind) => {
  const { settled } = await undonePayment(async () => {
    world.nodes[0].fail(first)
    world.nodes[1].fail(second)
    // A node that stands still does so from its first answer on.
    await Promise.allSettled(world.nodes.map(({ url }) => readHead(url)))
  })
  expect((await review(settled, 2))?.kind).toBe(kind)
})

test('a node that sees nothing undoes nothing while another one does see it', async () => {
  const { settled } = await settledPayment()
  const seen = { ...settled, settledAtMs: await headTimeMs() }
  await letTimePass()
  world.nodes[0].fail({ isBlind: true })
  expect(await review(seen, 2)).toMatchObject({ kind: 'final' })
  world.nodes[1].fail({ status: 429 })
  expect(await review(seen, 2)).toEqual({ kind: 'early' })
})

test('nothing is said while no node can be asked', async () => {
  const { settled } = await settledPayment()
  world.nodes[0].fail({ status: 429 })
  await expect(review(settled)).rejects.toThrow()
  await expect(chainOf(1).finalMs(NETWORK)).rejects.toThrow()
})
