import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../core/time/time.ts'
import { EVM_USDC } from '../../core/usdc.ts'
import type { TransferClaim } from '../../products/payments/services.ts'
import {
  CLAIM_LOOKS,
  claimWith,
  createClaimWorld,
  FRESH_MS,
  good,
  own,
  PRICE,
  paidWorld,
  payer,
  signedClaim,
  stranger,
  type World,
} from '../../testing/payments/claim-world.ts'
import { PAY_TO, START_MS, transferLog } from '../../testing/payments/scripted-node.ts'

describe('a transfer that holds', () => {
  test('buys one reply, is one settled row with all of its money, and its reply can be fetched again', async () => {
    const { world, hash } = paidWorld(250_000n)
    const claim = await signedClaim(payer, hash, '/cheap')
    expect(await claimWith(world, claim)).toBe('{"made":1}')
    world.clock.advance(23 * HOUR_MS)
    expect(await claimWith(world, claim)).toBe('{"made":1}')
    expect(world.made.count).toBe(1)
    const [row, ...others] = await world.ledger.findByTransaction('eip155:8453', hash)
    expect(others).toEqual([])
    expect(row).toMatchObject({
      key: `eip155:8453/tx/${hash}/0`,
      state: 'settled',
      amount: '250000',
      payer: payer.address.toLowerCase(),
      asset: EVM_USDC,
      payTo: PAY_TO,
      request: 'GET /cheap',
      facilitator: 'direct_transfer',
      transaction: hash,
    })
    expect(row?.reply?.receipt).toMatch(/^receipt of id-/)
  })

  test.each([
    ['exactly 0.10 for a product of exactly 0.10', '/dearest', 100_000n],
    ['more than is asked', '/cheap', 5_000_000n],
  ])('%s', async (_, endpoint, value) => {
    const { world, hash } = paidWorld(value)
    expect(await claimWith(world, signedClaim(payer, hash, endpoint))).toBe('{"made":1}')
  })

  test('is not used for what does not exist; what it bought before stays its own', async () => {
    const { world, hash } = paidWorld()
    const claim = await signedClaim(payer, hash, '/cheap')
    world.made.isGone = true
    expect(await claimWith(world, claim)).toMatch(/^404/)
    expect(await world.ledger.findByTransaction('eip155:8453', hash)).toEqual([])
    world.made.isGone = false
    expect(await claimWith(world, claim)).toBe('{"made":1}')
    world.made.isGone = true
    expect(await claimWith(world, claim)).toBe('{"made":1}')
  })

  test('may be written in capitals', async () => {
    const { world, hash } = paidWorld()
    const claim = await signedClaim(payer, hash, '/cheap')
    const loud = { ...claim, txHash: `0x${hash.slice(2).toUpperCase()}`, wallet: claim.wallet.toLowerCase() }
    expect(await claimWith(world, loud)).toBe('{"made":1}')
    expect(await claimWith(world, signedClaim(payer, hash, '/other'))).toMatch(/^409/)
  })

  test('by a contract wallet counts when the chain accepts its signature, and only then is the chain asked', async () => {
    const asked: string[] = []
    const holds = async ({ wallet }: { wallet: Hex }) => asked.push(wallet) > 0
    const world = createClaimWorld({ signatures: { holds } })
    const wallet: Hex = `0x${'c0'.repeat(20)}`
    const hash = world.node.add('contract', [transferLog(wallet, PRICE)])
    const own = world.node.add('plain', [transferLog(payer.address, PRICE)])
    world.node.mine(1)
    expect(await claimWith(world, signedClaim(stranger, hash, '/cheap', { wallet }))).toBe('{"made":1}')
    expect(await claimWith(world, signedClaim(payer, own, '/cheap'))).toBe('{"made":2}')
    expect(asked).toEqual([wallet])
  })

  test('two transfers in one transaction buy two endpoints and not three', async () => {
    const world = createClaimWorld()
    const logs = [transferLog(payer.address, PRICE), transferLog(payer.address, PRICE)]
    const hash = world.node.add('two', logs)
    world.node.mine(1)
    expect(await claimWith(world, signedClaim(payer, hash, '/cheap'))).toBe('{"made":1}')
    expect(await claimWith(world, signedClaim(payer, hash, '/other'))).toBe('{"made":2}')
    expect(await claimWith(world, signedClaim(payer, hash, '/cheap'))).toBe('{"made":1}')
    expect(await claimWith(world, signedClaim(payer, hash, '/dearest'))).toMatch(/^409/)
  })

  test('each sender of a shared transaction can claim their own', async () => {
    const world = createClaimWorld()
    const hash = world.node.add('shared', [
      transferLog(stranger.address, PRICE),
      transferLog(payer.address, PRICE),
    ])
    world.node.mine(1)
    expect(await claimWith(world, signedClaim(payer, hash, '/cheap'))).toBe('{"made":1}')
    expect(await claimWith(world, signedClaim(stranger, hash, '/cheap'))).toBe('{"made":2}')
  })
})

describe('what has to be looked up', () => {
  test('is looked up so often for who shows no transfer, and then only for who does', async () => {
    const { world, hash } = paidWorld()
    Object.assign(world.made, { isLookedUp: true, isGone: true })
    const made = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`
    for (let n = 0; n < 10; n++)
      expect(await claimWith(world, signedClaim(stranger, made(n), '/cheap'))).toMatch(
        n < 3 ? /^404/ : /^402/,
      )
    expect(world.made.looks).toBe(CLAIM_LOOKS.calls)
    for (let n = 0; n < 10; n++)
      expect(await claimWith(world, signedClaim(payer, hash, `/cheap?n=${n}`))).toMatch(
        n < 3 ? /^404/ : /^429/,
      )
    expect(world.made.looks).toBe(2 * CLAIM_LOOKS.calls)
    world.made.isGone = false
    world.clock.advance(60_000)
    expect(await claimWith(world, signedClaim(payer, hash, '/cheap'))).toBe('{"made":1}')
  })
})

describe('a transfer that was used', () => {
  test('buys nothing else, and a stranger who saw the hash gets nothing', async () => {
    const { world, hash } = paidWorld()
    await world.claim(await good(hash))
    expect(await claimWith(world, signedClaim(payer, hash, '/other'))).toMatch(/^409/)
    expect(await claimWith(world, signedClaim(payer, hash, '/cheap?again=1'))).toMatch(/^409/)
    expect(await claimWith(world, signedClaim(stranger, hash, '/cheap'))).toMatch(/^403/)
    expect(world.made.count).toBe(1)
  })

  test('is answered 409 after its 24 hours', async () => {
    const { world, hash } = paidWorld()
    const claim = await good(hash)
    await world.claim(claim)
    world.clock.advance(86_400_001)
    expect(await claimWith(world, claim)).toMatch(/^409 .* 24 hours/)
  })

  test('is answered 409 when its reply was cleared away', async () => {
    const { world, hash } = paidWorld()
    const claim = await good(hash)
    await world.claim(claim)
    await world.ledger.purgeReplies(START_MS + 1)
    expect(await claimWith(world, claim)).toMatch(/^409/)
  })

  test('two endpoints at once: one wins', async () => {
    const { world, hash } = paidWorld()
    const claims = await Promise.all(
      ['/cheap', '/other', '/dearest'].map((path) => signedClaim(payer, hash, path)),
    )
    const outcomes = await Promise.all(claims.map((claim) => claimWith(world, claim)))
    expect(outcomes.filter((text) => text.startsWith('{'))).toHaveLength(1)
    expect(outcomes.filter((text) => text.startsWith('409'))).toHaveLength(2)
    expect(world.made.count).toBe(1)
  })

  test('one claim many times at once: one reply is made, the others get it or have to wait', async () => {
    const { world, hash } = paidWorld()
    const claim = await good(hash)
    const outcomes = await Promise.all(Array.from({ length: 16 }, () => claimWith(world, claim)))
    expect(outcomes.every((text) => text === '{"made":1}' || /^409 .* worked on/.test(text))).toBe(true)
    expect(outcomes).toContain('{"made":1}')
    expect(world.made.count).toBe(1)
    expect(world.rows.size).toBe(1)
  })

  test('no more claims of one client wait than its line has room for', async () => {
    const { world, hash } = paidWorld()
    const claim = await good(hash)
    const outcomes = await Promise.all(Array.from({ length: 24 }, () => claimWith(world, claim)))
    expect(outcomes.filter((text) => text.startsWith('503'))).toHaveLength(4)
    expect(await claimWith(world, claim)).toBe('{"made":1}')
  })
})

describe('when something breaks', () => {
  test('data that cannot be made uses nothing up', async () => {
    const { world, hash } = paidWorld()
    world.made.failNext = true
    await expect(world.claim(await good(hash))).rejects.toThrow('the source is down')
    expect(world.rows.size).toBe(0)
    world.made.failNext = false
    expect(await claimWith(world, signedClaim(payer, hash, '/other'))).toBe('{"made":1}')
  })

  test('data that is too old to sell uses nothing up', async () => {
    const { world, hash } = paidWorld()
    world.made.asOfMs -= FRESH_MS + 1
    expect(await claimWith(world, good(hash))).toMatch(/^503 the data is/)
    expect(world.rows.size).toBe(0)
  })

  test.each([1, 2, 3])('a crash at write %i loses nothing', async (crashAt) => {
    const { world: first, hash } = paidWorld()
    let writes = 0
    const never = new Promise<never>(() => {})
    const commit = <T>(apply: () => T) => (++writes >= crashAt ? never : Promise.resolve(apply()))
    const crashing = createClaimWorld({ rows: first.rows, commit })
    crashing.node.add('good', [own()])
    crashing.node.mine(1)
    const claim = await good(hash)
    void crashing.claim(claim)
    await expect.poll(() => writes).toBe(crashAt)

    const next = createClaimWorld({ rows: first.rows, boot: 'later' })
    next.node.add('good', [own()])
    next.node.mine(1)
    for (const { key, state, id } of await next.ledger.unfinished())
      if (state === 'claimed') await next.ledger.release(key, id)
    expect(await claimWith(next, claim)).toBe('{"made":1}')
    expect(next.rows.size).toBe(1)
    expect([...next.rows.values()][0]).toMatchObject({ state: 'settled', transaction: hash })
  })

  test('a claim in progress is finished after its hour, and with its own transfer', async () => {
    const rows = new Map()
    let writes = 0
    const commit = <T>(apply: () => T) =>
      ++writes >= 3 ? new Promise<never>(() => {}) : Promise.resolve(apply())
    const crashing = createClaimWorld({ rows, commit })
    const hash = crashing.node.add('good', [own(PRICE, { to: stranger.address }), own()])
    crashing.node.mine(1)
    const claim = await good(hash)
    void crashing.claim(claim)
    await expect.poll(() => writes).toBe(3)

    const next = createClaimWorld({ rows, boot: 'later' })
    next.node.add('good', [own(), own()])
    next.node.mine(1)
    next.clock.advance(2 * HOUR_MS)
    expect(await claimWith(next, claim)).toBe('{"made":1}')
    expect([...rows.keys()]).toEqual([`eip155:8453/tx/${hash}/1`])
  })

  test('a transfer that leaves the chain before it is booked is void in the end, and only then', async () => {
    const { world, hash } = paidWorld()
    const claim = await good(hash)
    const row = await captureRow(world, claim)
    world.node.drop(hash)
    expect(await world.chain.outcome(row, undefined)).toEqual({ kind: 'open' })
    world.clock.advance(3_700_000)
    world.past.isLost = true
    await expect(world.chain.outcome(row, undefined)).rejects.toThrow('no longer has the receipts')
    world.past.isLost = false
    expect(await world.chain.outcome(row, undefined)).toEqual({ kind: 'dead' })
    expect(new Set(world.past.asked)).toEqual(new Set([START_MS + 2_000]))
    world.node.fail(true)
    await expect(world.chain.outcome(row, undefined)).rejects.toThrow()
  })

  test('a transfer that lost its confirmations is waited for', async () => {
    const { world, hash } = paidWorld()
    const payment = await captureRow(world, await good(hash))
    world.node.mine(-1)
    expect(await world.chain.outcome(payment, undefined)).toEqual({ kind: 'open' })
  })

  test('the chain is asked for this very transfer', async () => {
    const { world, hash } = paidWorld()
    const payment = await captureRow(world, await good(hash))
    expect(await world.chain.outcome(payment, undefined)).toEqual({ kind: 'paid', transaction: hash })
    const other = (change: object) => world.chain.outcome({ ...payment, ...change }, undefined)
    expect(await other({ payer: stranger.address.toLowerCase() })).toEqual({ kind: 'open' })
    expect(await other({ payload: { transfer: { transaction: hash, position: 1 } } })).toEqual({
      kind: 'open',
    })
    expect(await other({ requirement: { ...payment.requirement, amount: '1' } })).toEqual({ kind: 'open' })
    await expect(other({ payload: { payload: {} } })).rejects.toThrow('not a transfer')
  })
})

async function captureRow(world: World, claim: TransferClaim) {
  await world.claim(claim)
  const [row] = world.rows.values()
  return JSON.parse(row?.payment ?? '')
}
