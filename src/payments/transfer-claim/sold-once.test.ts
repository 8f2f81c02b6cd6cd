import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { expectedUse, tokenLog, word } from '../../testing/payments/authorization-logs.ts'
import {
  claimWith,
  createClaimWorld,
  good,
  own,
  PRICE,
  payer,
  settleX402,
  signedClaim,
  stranger,
} from '../../testing/payments/claim-world.ts'
import { authorizationLog, transferLog } from '../../testing/payments/scripted-node.ts'
import { AUTHORIZATION_CANCELED, AUTHORIZATION_USED, isPaidBy, TRANSFER } from '../chain/evm/logs.ts'
import { transfersTo } from './transfers.ts'

/** A bundler may carry the transfer of one wallet and the x402 payments of others. */
function bundle() {
  const world = createClaimWorld()
  const hash = world.node.add('bundle', [
    authorizationLog(stranger.address),
    transferLog(stranger.address, PRICE),
    own(),
    authorizationLog(payer.address),
    own(),
  ])
  world.node.mine(1)
  return { world, hash }
}

test("beside others' x402 payments, and one's own, a transfer buys what it pays for, once", async () => {
  for (const wallet of [stranger.address, payer.address]) {
    const { world, hash } = bundle()
    await settleX402(world.ledger, hash, wallet)
    expect(await claimWith(world, good(hash))).toBe('{"made":1}')
    expect(await claimWith(world, good(hash))).toBe('{"made":1}')
    expect(await claimWith(world, signedClaim(payer, hash, '/other'))).toMatch(/^409/)
    expect(await claimWith(world, signedClaim(stranger, hash, '/other'))).toMatch(/^402 .* authorization/)
    const keys = (await world.ledger.findByTransaction('eip155:8453', hash)).map(({ key }) => key)
    expect(keys.filter((key) => key.includes('/tx/'))).toEqual([`eip155:8453/tx/${hash}/2`])
  }
})

test('what an x402 payment moved is not sold for a claim, before that payment is settled and after', async () => {
  const { world, hash } = bundle()
  const claim = await signedClaim(stranger, hash, '/cheap')
  expect(await claimWith(world, claim)).toMatch(/^402 .* signed authorization/)
  await settleX402(world.ledger, hash, stranger.address)
  expect(await claimWith(world, claim)).toMatch(/^402 .* signed authorization/)
  expect(world.made.count).toBe(0)
})

/** Every order of up to five logs of these kinds; each transfer is of another amount, so that it is known again. */
const KINDS = ['used', 'used by another', 'cancelled', 'transfer'] as const
function orders(length: number): (typeof KINDS)[number][][] {
  if (length === 0) return [[]]
  const shorter = orders(length - 1)
  return [...shorter, ...shorter.filter((each) => each.length === length - 1).flatMap(withOneMore)]
}
const withOneMore = (order: (typeof KINDS)[number][]) => KINDS.map((kind) => [...order, kind])
const amountOf = (at: number) => `0x${(at + 1).toString(16).padStart(64, '0')}` as const
const payTo = `0x${'2'.repeat(40)}` as const
const toTopic = `0x${payTo.slice(2).padStart(64, '0')}` as const
const fromTopic = `0x${'1'.repeat(40).padStart(64, '0')}` as const

test('in no order of logs a transfer is both an x402 payment and to be claimed', () => {
  let [paid, plain] = [0, 0]
  for (const order of orders(5)) {
    const logs = order.map((kind, at) => {
      if (kind === 'transfer')
        return tokenLog({ logIndex: at, topics: [TRANSFER, fromTopic, toTopic], data: amountOf(at) })
      const about = kind === 'cancelled' ? AUTHORIZATION_CANCELED : AUTHORIZATION_USED
      // Another nonce of the same payer.
      return tokenLog({ logIndex: at, topics: [about, fromTopic, word(kind === 'used' ? 3 : 4)] })
    })
    const claimable = transfersTo(
      logs.map((log, position) => ({ ...log, position })),
      payTo,
    ).filter(({ byAuthorization }) => !byAuthorization)
    const isX402 = (at: number, nonce: Hex) =>
      isPaidBy(
        { status: 1, blockNumber: 1, transactionHash: word(4), logs: [...logs] },
        { ...expectedUse, payerTopic: fromTopic, payToTopic: toTopic, nonce, amount: BigInt(at + 1) },
      )
    for (const [at, kind] of order.entries()) {
      if (kind !== 'transfer') continue
      const isPaid = isX402(at, word(3)) || isX402(at, word(4))
      const isClaimable = claimable.some(({ position }) => position === at)
      expect([order, at, isPaid && isClaimable]).toEqual([order, at, false])
      if (isPaid) paid++
      if (isClaimable) plain++
    }
  }
  expect(Math.min(paid, plain)).toBeGreaterThan(100)
})
