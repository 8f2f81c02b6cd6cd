import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { aboutWallet, WALLET, WALLETS_NOON_MS, walletPorts } from '../../testing/wallets/hand-made-wallets.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import {
  createWalletLookup,
  LOOK_CLOSER_EVERY_MS,
  LOOK_CLOSER_WAIT_MS,
  MAX_WALLET_LOOKS,
  NODE_GATHER_MS,
  WALLET_LOOKUP_WAIT_MS,
} from './wallet-lookup.ts'

const freely = () => {}

const down = () => Promise.reject(new UpstreamError('down', 'no connection'))
const never = () => new Promise<never>(() => {})
const UNUSED = {
  haveEtherOrCode: async (all: readonly string[]) => all.map(() => false),
  nonce: async () => 0,
}
const flush = () => new Promise((resolve) => setImmediate(resolve))

function start(over: Parameters<typeof walletPorts>[0] = {}, hasNode = true) {
  const clock = createManualClock(WALLETS_NOON_MS)
  const { chain, explorer } = walletPorts(over)
  const lookup = createWalletLookup({ chain, explorer, clock, hasNode })
  return {
    clock,
    lookup,
    /** When the node was asked together with whoever else wanted to know. */
    async checkExists(wallet: string) {
      const asking = lookup.checkExists(wallet, freely)
      asking.catch(() => {})
      await flush()
      clock.advance(NODE_GATHER_MS)
      return asking
    },
  }
}
const nth = (i: number) => `0x${i.toString(16).padStart(40, '0')}`

describe('an address was used', () => {
  test.each<[string, Parameters<typeof walletPorts>[0]]>([
    ['with ether or code', { explorer: { address: down } }],
    ['with a transaction', { chain: { ...UNUSED, nonce: async () => 1 }, explorer: { address: down } }],
    ['known to the explorer alone', { chain: UNUSED, explorer: { address: async () => aboutWallet() } }],
    [
      'while the node is down',
      { chain: { haveEtherOrCode: down }, explorer: { address: async () => aboutWallet() } },
    ],
  ])('%s', async (_, over) => {
    await expect(start(over).checkExists(WALLET)).resolves.toBeUndefined()
  })
})

const nowhere = { chain: UNUSED, explorer: { address: async () => undefined } }
describe('an address was never used', () => {
  test('where both deny it, for a minute without asking again', async () => {
    let looks = 0
    const address = async () => {
      looks++
      return undefined
    }
    const { clock, checkExists } = start({ chain: UNUSED, explorer: { address } })
    await expect(checkExists(WALLET)).rejects.toMatchObject({ code: 'not_found' })
    await expect(checkExists(WALLET.toUpperCase().replace('0X', '0x'))).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(looks).toBe(1)
    clock.advance(MINUTE_MS + 1)
    await expect(checkExists(WALLET)).rejects.toMatchObject({ code: 'not_found' })
    expect(looks).toBe(2)
  })
  test('without a node the explorer alone can deny it', async () => {
    const over = { ...nowhere, chain: { haveEtherOrCode: down } }
    await expect(start(over, false).checkExists(WALLET)).rejects.toMatchObject({ code: 'not_found' })
    await expect(start(over, true).checkExists(WALLET)).rejects.toMatchObject({
      code: 'upstream_unavailable',
    })
  })
})

describe('nobody can tell', () => {
  test.each<[string, Parameters<typeof walletPorts>[0]]>([
    ['both are down', { chain: { haveEtherOrCode: down }, explorer: { address: down } }],
    ['the node does not tell of transactions', { ...nowhere, chain: { ...UNUSED, nonce: down } }],
    ['unused to the node, and the explorer is down', { chain: UNUSED, explorer: { address: down } }],
  ])('%s', async (_, over) => {
    await expect(start(over).checkExists(WALLET)).rejects.toMatchObject({ code: 'upstream_unavailable' })
  })
  test('both hang: after the wait', async () => {
    const { clock, checkExists } = start({ chain: { haveEtherOrCode: never }, explorer: { address: never } })
    const asking = expect(checkExists(WALLET)).rejects.toMatchObject({ code: 'upstream_unavailable' })
    await flush()
    clock.advance(WALLET_LOOKUP_WAIT_MS)
    await asking
  })
  test('a node that hangs does not keep the explorer from telling', async () => {
    const { clock, checkExists } = start({ chain: { haveEtherOrCode: never } })
    const asking = expect(checkExists(WALLET)).resolves.toBeUndefined()
    await flush()
    clock.advance(700)
    await asking
  })
})

test('many looks at once are refused, and equal ones are one', async () => {
  let looks = 0
  const haveEtherOrCode = (addresses: readonly string[]) => {
    looks += addresses.length
    return never()
  }
  const { clock, lookup } = start({ chain: { haveEtherOrCode } })
  const wallets = Array.from({ length: MAX_WALLET_LOOKS }, (_, i) => nth(i))
  for (const wallet of [...wallets, ...wallets]) void lookup.checkExists(wallet, freely).catch(() => {})
  await expect(lookup.checkExists(WALLET, freely)).rejects.toMatchObject({ code: 'upstream_unavailable' })
  clock.advance(NODE_GATHER_MS)
  expect(looks).toBe(MAX_WALLET_LOOKS)
})

test('a flood of random addresses leaves node and explorer to those who pay', async () => {
  const asked = { node: 0, explorer: 0 }
  const { clock, lookup } = start({
    chain: {
      haveEtherOrCode: async (all) => {
        asked.node++
        return all.map((address) => address === WALLET)
      },
      nonce: async () => {
        asked.node++
        return 0
      },
    },
    explorer: {
      address: async () => {
        asked.explorer++
        return undefined
      },
    },
  })
  const answers = new Map<string, number>()
  const count = ({ code }: { code: string }) => answers.set(code, (answers.get(code) ?? 0) + 1)
  const SECONDS = 10
  const EVERY_MS = 50
  for (let ms = 0; ms < SECONDS * 1_000; ms += EVERY_MS) {
    void lookup.checkExists(nth(ms), freely).catch(count)
    clock.advance(EVERY_MS)
    await flush()
  }
  const looksCloser = 1 + (SECONDS * 1_000) / LOOK_CLOSER_EVERY_MS
  expect(asked.explorer).toBeGreaterThan(1)
  expect(asked.explorer).toBeLessThanOrEqual(looksCloser)
  expect(asked.node).toBeLessThanOrEqual((SECONDS * 1_000) / NODE_GATHER_MS + looksCloser)
  expect(answers.get('upstream_unavailable')).toBeGreaterThan(100)
  // Somebody who has ether is found all the same.
  const found = expect(lookup.checkExists(WALLET, freely)).resolves.toBeUndefined()
  clock.advance(NODE_GATHER_MS)
  await found
})

test('the second who needs the explorer waits for his turn if it comes soon', async () => {
  const { clock, lookup, checkExists } = start(nowhere)
  await expect(checkExists(nth(1))).rejects.toMatchObject({ code: 'not_found' })
  await expect(checkExists(nth(2))).rejects.toMatchObject({ code: 'upstream_unavailable' })
  clock.advance(LOOK_CLOSER_EVERY_MS - LOOK_CLOSER_WAIT_MS - NODE_GATHER_MS)
  const asking = expect(lookup.checkExists(nth(3), freely)).rejects.toMatchObject({ code: 'not_found' })
  for (const ms of [NODE_GATHER_MS, LOOK_CLOSER_WAIT_MS]) {
    clock.advance(ms)
    await flush()
  }
  await asking
})
