import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../core/time/time.ts'
import type { TransferClaim } from '../../products/payments/services.ts'
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
  type World,
} from '../../testing/payments/claim-world.ts'
import { authorizationLog, PAY_TO, transferLog } from '../../testing/payments/scripted-node.ts'

type Bad = {
  name: string
  says: RegExp
  logs?: Parameters<World['node']['add']>[1]
  status?: 0 | 1
  confirmations?: number
  laterMs?: number
  claim?: (hash: Hex) => TransferClaim | Promise<TransferClaim>
  before?: (world: World, hash: Hex) => unknown
}
const elsewhere = `0x${'e1'.repeat(20)}` as const

const BAD_CLAIMS: Bad[] = [
  { name: 'a failed transaction', says: /^402 the transaction failed/, status: 0 },
  { name: 'no logs', says: /^402 .* moves no USDC/, logs: [] },
  {
    name: 'another token with the same event',
    says: /^402 .* moves no USDC/,
    logs: [own(PRICE, { token: elsewhere })],
  },
  { name: 'another recipient', says: /^402 .* moves no USDC/, logs: [own(PRICE, { to: elsewhere })] },
  {
    name: 'a transfer out of our address',
    says: /^402 .* moves no USDC/,
    logs: [transferLog(PAY_TO, PRICE, { to: payer.address })],
  },
  { name: 'one millionth too little', says: /^402 .* below 0.10/, logs: [own(99_999n)] },
  { name: 'nothing', says: /^402 .* below 0.10/, logs: [own(0n)] },
  { name: 'two halves', says: /^402 .* below 0.10/, logs: [own(50_000n), own(50_000n)] },
  { name: 'more than the ledger holds', says: /^402/, logs: [own(2n ** 255n)] },
  {
    name: "a third party's transfer",
    says: /^403 .* another wallet/,
    logs: [transferLog(stranger.address, PRICE)],
  },
  {
    name: "own transfer elsewhere beside a stranger's to us",
    says: /^403/,
    logs: [own(PRICE, { to: elsewhere }), transferLog(stranger.address, PRICE)],
  },
  {
    name: 'a fake event of another contract beside nothing',
    says: /^402/,
    logs: [{ ...own(), address: payer.address.toLowerCase() }],
  },
  {
    name: 'an approval',
    says: /^402/,
    logs: [{ ...own(), topics: [`0x${'8c'.repeat(32)}`, ...own().topics.slice(1)] }],
  },
  {
    name: 'a transfer event with a fourth topic',
    says: /^402/,
    logs: [{ ...own(), topics: [...own().topics, `0x${'0'.repeat(64)}`] }],
  },
  {
    name: 'a transfer event without recipient',
    says: /^402/,
    logs: [{ ...own(), topics: own().topics.slice(0, 2) }],
  },
  { name: 'a transfer event with long data', says: /^402/, logs: [{ ...own(), data: `${own().data}00` }] },
  {
    name: 'a sender topic with dirt before the address',
    says: /^402/,
    logs: [{ ...own(), topics: own().topics.map((topic, i) => (i === 1 ? `0xff${topic.slice(4)}` : topic)) }],
  },
  {
    name: 'a transfer by signed authorization',
    says: /^402 .* signed authorization/,
    logs: [authorizationLog(payer.address), own()],
  },
  { name: 'one confirmation', says: /^402 .* 1 of 2 confirmations/, confirmations: 1 },
  { name: 'an hour and a bit ago', says: /^402 .* hour old/, laterMs: 3_610_000 },
  { name: 'before launch', says: /^402 .* hour old/, laterMs: 90 * DAY_MS },
  { name: 'an unknown transaction', says: /^402 no block holds/, claim: () => good(`0x${'ab'.repeat(32)}`) },
  {
    name: 'a transaction that left the chain',
    says: /^402 no block holds/,
    before: ({ node }, hash) => node.drop(hash),
  },
  {
    name: 'a transaction in a block that was replaced',
    says: /^402 no block holds/,
    before: ({ node }) => node.fork(),
  },
  { name: 'a silent node', says: /^503/, before: ({ node }) => node.fail(true) },
  {
    name: 'a stranger naming themselves',
    says: /^403 .* another wallet/,
    claim: (hash) => signedClaim(stranger, hash, '/cheap'),
  },
  {
    name: 'a stranger naming the payer',
    says: /^403 the signature/,
    claim: (hash) => signedClaim(stranger, hash, '/cheap', { wallet: payer.address }),
  },
  {
    name: 'a signature for another endpoint',
    says: /^403 the signature/,
    claim: async (hash) => ({ ...(await good(hash)), endpoint: '/other' }),
  },
  {
    name: 'a signature for another transaction',
    says: /^403 the signature/,
    claim: async (hash) => ({ ...(await good(`0x${'ab'.repeat(32)}`)), txHash: hash }),
  },
  {
    name: 'a signature over another text',
    says: /^403 the signature/,
    claim: async (hash) => ({ ...(await good(hash)), signature: await payer.signMessage({ message: hash }) }),
  },
  {
    name: 'a signature cut short',
    says: /^403 the signature/,
    claim: async (hash) => ({ ...(await good(hash)), signature: (await good(hash)).signature.slice(0, -2) }),
  },
  {
    name: 'a signature of zeros',
    says: /^403 the signature/,
    claim: async (hash) => ({ ...(await good(hash)), signature: `0x${'00'.repeat(65)}` }),
  },
  {
    name: 'the mirrored signature',
    says: /^403 the signature/,
    claim: async (hash) => mirrored(await good(hash)),
  },
  {
    name: 'the operator paying itself',
    says: /^402 .* oneself/,
    logs: [transferLog(PAY_TO, PRICE)],
    claim: (hash) => signedClaim(payer, hash, '/cheap', { wallet: PAY_TO }),
  },
  {
    name: 'an unknown endpoint',
    says: /^402 no paid product/,
    claim: (hash) => signedClaim(payer, hash, '/nothing'),
  },
  {
    name: 'a product that costs more',
    says: /^402 .* costs more/,
    claim: (hash) => signedClaim(payer, hash, '/too-dear'),
  },
  {
    name: "an x402 payment's settlement",
    says: /^402 .* signed authorization/,
    logs: [authorizationLog(payer.address), own()],
    before: ({ ledger }, hash) => settleX402(ledger, hash, payer.address),
  },
]

/** The other signature that recovers to the same key: s taken from the order of the curve. */
function mirrored(claim: TransferClaim): TransferClaim {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = (order - BigInt(`0x${claim.signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
  const v = claim.signature.endsWith('1b') ? '1c' : '1b'
  return { ...claim, signature: `${claim.signature.slice(0, 66)}${s}${v}` }
}

describe('a transfer that does not hold', () => {
  test.each(BAD_CLAIMS.map((bad) => [bad.name, bad] as const))('%s', async (_, bad) => {
    const world = createClaimWorld()
    const hash = world.node.add('bad', bad.logs ?? [own()], bad.status)
    world.node.mine((bad.confirmations ?? 2) - 1)
    if (bad.laterMs) world.clock.advance(bad.laterMs)
    await bad.before?.(world, hash)
    const before = world.rows.size
    expect(await claimWith(world, (bad.claim ?? good)(hash))).toMatch(bad.says)
    expect(world.made.count).toBe(0)
    expect(world.rows.size).toBe(before)
  })

  test('is not burnt by a stranger, by a wrong endpoint or by too early a claim', async () => {
    const world = createClaimWorld()
    const hash = world.node.add('good', [own()])
    const tries = [
      signedClaim(payer, hash, '/cheap'),
      signedClaim(stranger, hash, '/cheap'),
      signedClaim(stranger, hash, '/cheap', { wallet: payer.address }),
      signedClaim(payer, hash, '/too-dear'),
    ]
    for (const claim of tries) expect(await claimWith(world, claim)).toMatch(/^40[23]/)
    world.node.mine(1)
    expect(await claimWith(world, good(hash))).toBe('{"made":1}')
  })
})
