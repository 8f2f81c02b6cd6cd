import { describe, expect, test } from 'vitest'
import {
  COIN,
  held,
  SPENDER,
  UNLIMITED,
  USDC,
  WALLET,
  walletPorts,
} from '../../../testing/wallets/hand-made-wallets.ts'
import { UpstreamError } from '../../../upstreams/upstream.ts'
import type { HeldToken } from './holdings.ts'
import { MAX_APPROVALS, readApprovals } from './open-approvals.ts'
import type { WalletPorts } from './wallet-ports.ts'

const down = () => Promise.reject(new UpstreamError('down', 'no connection'))
const given = (over: Record<string, unknown> = {}) => ({
  token: USDC as `0x${string}`,
  owner: WALLET as `0x${string}`,
  spender: SPENDER as `0x${string}`,
  amount: UNLIMITED,
  atMs: 1_700_000_000_000,
  block: 1,
  ...over,
})
const logged = (over: Record<string, unknown> = {}) => ({
  ...given(),
  blockNumber: 39_999_999,
  logIndex: 0,
  transactionHash: '0x' as const,
  ...over,
})

const read = (ports: WalletPorts, rows: readonly HeldToken[] = [], isComplete = true) =>
  readApprovals(ports, WALLET, async () => ({ rows, isComplete }))

test('what is left of an approval is what the chain says now', async () => {
  const ports = walletPorts({
    history: {
      approvals: async () => ({ rows: [given(), given({ token: COIN, amount: 5n })], isComplete: true }),
    },
    chain: { allowances: async (_, pairs) => pairs.map(({ token }) => (token === USDC ? 7n : 0n)) },
  })
  expect(await read(ports)).toEqual({
    rows: [{ token: USDC, spender: SPENDER, allowance: 7n, isCurrent: true, sinceMs: 1_700_000_000_000 }],
    isComplete: true,
  })
})

test('without a node what was approved last counts, and what was taken back does not', async () => {
  const rows = [
    given(),
    given({ block: 3, amount: 9n }),
    given({ token: COIN }),
    given({ token: COIN, block: 2, amount: 0n }),
  ]
  const ports = walletPorts({
    history: { approvals: async () => ({ rows, isComplete: true }) },
    chain: { blockNumber: down, allowances: down },
  })
  expect(await read(ports)).toMatchObject({
    rows: [{ token: USDC, allowance: 9n, isCurrent: false }],
    isComplete: true,
  })
})

test('the newest blocks are asked of the node; without the explorer the list is not complete', async () => {
  const from: number[] = []
  const chain = {
    approvalEvents: async (_: string, fromBlock: number) => {
      from.push(fromBlock)
      return { rows: [logged()], fromBlock }
    },
    allowances: async () => [undefined],
  }
  const known = await read(walletPorts({ chain }))
  expect(known).toMatchObject({ rows: [{ allowance: UNLIMITED, isCurrent: false }], isComplete: true })
  const alone = await read(walletPorts({ chain, history: { approvals: down } }))
  expect(alone).toMatchObject({ rows: [{ spender: SPENDER }], isComplete: false })
  expect(from).toEqual([39_998_200, 39_998_200])
})

test('both silent is a failure, and many are cut off', async () => {
  const silent = walletPorts({ chain: { blockNumber: down }, history: { approvals: down } })
  await expect(read(silent)).rejects.toBeInstanceOf(UpstreamError)
  const rows = Array.from({ length: MAX_APPROVALS + 1 }, (_, i) =>
    given({ spender: `0x${i.toString(16).padStart(40, '0')}`, block: i }),
  )
  let asked = 0
  const many = walletPorts({
    history: { approvals: async () => ({ rows, isComplete: true }) },
    chain: {
      allowances: async (_, pairs) => {
        asked = pairs.length
        return pairs.map(() => 1n)
      },
    },
  })
  const found = await read(many)
  expect([asked, found.rows.length, found.isComplete]).toEqual([MAX_APPROVALS, MAX_APPROVALS, false])
  // The newest are kept.
  expect(found.rows[0]?.spender).toBe(rows.at(-1)?.spender)
})

describe('more than are looked at', () => {
  const junk = `0x${'5a'.repeat(20)}`
  const made = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      given({
        token: junk,
        spender: `0x${(i + 1).toString(16).padStart(40, '0')}`,
        amount: 1n,
        block: 200 + i,
      }),
    )
  const world = (rows: readonly ReturnType<typeof given>[]) =>
    walletPorts({
      history: { approvals: async () => ({ rows, isComplete: true }) },
      chain: { allowances: async (_, pairs) => pairs.map(() => 1n) },
    })
  test('made-up ones hide neither a well-known token nor a held one, and the list is whole', async () => {
    const rows = [given(), given({ token: COIN }), ...made(MAX_APPROVALS)]
    const found = await read(world(rows), [held()])
    expect(found.rows.slice(0, 2).map(({ token }) => token)).toEqual([USDC, COIN])
    expect(found.isComplete).toBe(true)
    // What is not listed among the holdings may be held.
    expect((await read(world(rows), [held()], false)).isComplete).toBe(false)
  })
  test('a worthless token that was sent to it does not push another held one off', async () => {
    const rows = [given({ token: COIN }), ...made(MAX_APPROVALS)]
    const found = await read(world(rows), [held(), held({ token: junk })])
    expect(found.rows.slice(0, 2).map(({ token }) => token)).toEqual([junk, COIN])
    expect(found.isComplete).toBe(false)
    const priced = await read(world(rows), [held({ explorerPriceUsd: 2 }), held({ token: junk })])
    expect(priced.rows[0]?.token).toBe(COIN)
  })
})
