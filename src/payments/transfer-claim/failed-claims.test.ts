import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  claimWith,
  createClaimWorld,
  good,
  own,
  payer,
  signedClaim,
} from '../../testing/payments/claim-world.ts'
import { ReplyTooLargeError } from '../chain/json-rpc.ts'
import { FAILED_CLAIMS, FAILED_OF_LINES } from './failed-claims.ts'
import type { ReadTransaction } from './read-transaction.ts'

const HASH: Hex = `0x${'ab'.repeat(32)}`

function worldOf(says: ReadTransaction) {
  let looks = 0
  const readTransaction: ReadTransaction = (hash) => {
    looks++
    return says(hash)
  }
  return { world: createClaimWorld({ readTransaction }), looks: () => looks }
}
const MINED = { succeeded: true, confirmations: 2, blockTimeMs: 0, logs: [{ ...own(), position: 0 }] }

describe('claims that buy nothing', () => {
  test.each<[string, RegExp, ReadTransaction]>([
    ['of a transaction in no block', /^402 no block/, async () => undefined],
    ['of one that is too long', /^402 .* not read/, () => Promise.reject(new ReplyTooLargeError())],
    ['while the node is silent', /^503/, () => Promise.reject(new Error('down'))],
    ['of a transfer that is too old', /^402 .* hour old/, async () => MINED],
  ])('%s end after so many looks a minute', async (_, says, read) => {
    const { world, looks } = worldOf(read)
    const claim = await good(HASH)
    for (let n = 0; n < FAILED_CLAIMS.calls; n++) expect(await claimWith(world, claim)).toMatch(says)
    for (let n = 0; n < 3; n++) expect(await claimWith(world, claim)).toMatch(/^429/)
    expect(looks()).toBe(FAILED_CLAIMS.calls)
    expect(await claimWith(world, { ...claim, client: 'another' })).toMatch(says)
    world.clock.advance(60_000)
    expect(await claimWith(world, claim)).toMatch(says)
  })

  test('count for all lines of a customer together, but not what was refused without a look', async () => {
    const { world, looks } = worldOf(async () => undefined)
    const claim = await good(HASH)
    const from = (line: number, customer = '20010db80001') =>
      claimWith(world, { ...claim, client: `${customer}000${line}/64` })
    for (let line = 0; line < 3; line++) for (let n = 0; n < 2 * FAILED_CLAIMS.calls; n++) await from(line)
    expect(looks()).toBe(3 * FAILED_CLAIMS.calls)
    for (let line = 3; line < 9; line++) for (let n = 0; n < FAILED_CLAIMS.calls; n++) await from(line)
    expect(looks()).toBe(FAILED_OF_LINES.calls)
    expect(await from(9)).toMatch(/^429/)
    expect(await from(9, '20010db80002')).toMatch(/^402/)
  })

  test('do not keep anybody from what he has bought', async () => {
    const world = createClaimWorld()
    const hash = world.node.add('good', [own()])
    world.node.mine(1)
    const bought = await good(hash)
    expect(await claimWith(world, bought)).toBe('{"made":1}')
    const wrong = await signedClaim(payer, HASH, '/cheap')
    for (let n = 0; n <= FAILED_CLAIMS.calls; n++) await claimWith(world, wrong)
    expect(await claimWith(world, wrong)).toMatch(/^429/)
    expect(await claimWith(world, bought)).toBe('{"made":1}')
  })
})

test('lines of one customer wait behind each other, not others behind them', async () => {
  let answer = () => {}
  const answered = new Promise<undefined>((resolve) => {
    answer = () => resolve(undefined)
  })
  const { world, looks } = worldOf(() => answered)
  const claim = await good(HASH)
  const lines = Array.from({ length: 200 }, (_, n) => `20010db80001${n.toString(16).padStart(4, '0')}/64`)
  const flood = lines.map((client) => claimWith(world, { ...claim, client }))
  await expect.poll(looks).toBe(4)
  const honest = claimWith(world, { ...claim, client: '203.0.113.9' })
  await expect.poll(looks).toBe(5)
  answer()
  expect(await honest).toMatch(/^402/)
  const outcomes = await Promise.all(flood)
  expect(outcomes.filter((text) => text.startsWith('402'))).toHaveLength(20)
  expect(outcomes.filter((text) => text.startsWith('503'))).toHaveLength(180)
})

describe('a contract wallet that accepts every signature', () => {
  function contractWorld() {
    let asked = 0
    const holds = async () => ++asked > 0
    const world = createClaimWorld({ signatures: { holds } })
    const claimFor = (endpoint: string, client = 'test') =>
      claimWith(world, {
        ...{ txHash: HASH, endpoint, client },
        ...{ wallet: `0x${'c0'.repeat(20)}`, signature: `0x${'56'.repeat(70)}` },
      })
    return { world, claimFor, asked: () => asked }
  }

  test.each(['/nothing', '/too-dear'])('is not asked about %s, which no transfer buys', async (endpoint) => {
    const { claimFor, asked } = contractWorld()
    for (let n = 0; n < 10; n++) expect(await claimFor(endpoint)).toMatch(/^402/)
    expect(asked()).toBe(0)
  })

  test('is asked so often a minute while its claims buy nothing', async () => {
    const { world, claimFor, asked } = contractWorld()
    world.made.isGone = true
    for (let n = 0; n < 200; n++) expect(await claimFor('/cheap')).toMatch(/^4(04|29)/)
    expect(asked()).toBe(FAILED_CLAIMS.calls)
    expect(await claimFor('/cheap', 'another')).toMatch(/^404/)
  })
})
