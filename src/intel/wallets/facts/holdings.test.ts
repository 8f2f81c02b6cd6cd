import { expect, test } from 'vitest'
import { coin, holdingsPage, WALLET, wireToken } from '../../../testing/wallets/hand-made-wallets.ts'
import { UpstreamError } from '../../../upstreams/upstream.ts'
import { MAX_HOLDINGS, readHoldings } from './holdings.ts'

const row = (i: number, value = '1') => ({
  token: coin({ address_hash: `0x${i.toString(16).padStart(40, '0')}` }),
  value,
})
const pageAt = (from: number, next: unknown) =>
  holdingsPage(
    Array.from({ length: 50 }, (_, i) => row(from + i)),
    next,
  )
const at = (ms: number) => () => ms
const others = {
  approvals: async () => ({ rows: [], isComplete: true }),
  firstTransactionMs: async () => undefined,
}

test('pages follow each other up to a bound', async () => {
  const asked: unknown[] = []
  const history = {
    ...others,
    holdingsPage: async (_: string, next?: Record<string, unknown>) => {
      asked.push(next)
      return pageAt(asked.length * 50, { items_count: asked.length * 50, value: null })
    },
  }
  const found = await readHoldings({ history, nowMs: at(0) }, WALLET)
  expect(found.rows).toHaveLength(MAX_HOLDINGS)
  expect(found.isComplete).toBe(false)
  expect(asked).toEqual([undefined, { items_count: 50 }, { items_count: 100 }, { items_count: 150 }])
})

test('a page that fails, stands still or comes late leaves those before it', async () => {
  const first = pageAt(0, { items_count: 50 })
  const fails = async (_: string, next?: unknown) => {
    if (next) throw new UpstreamError('down', 'no connection')
    return first
  }
  const repeats = async () => first
  for (const holdingsOf of [fails, repeats]) {
    const found = await readHoldings(
      { history: { ...others, holdingsPage: holdingsOf }, nowMs: at(0) },
      WALLET,
    )
    expect(found).toMatchObject({ isComplete: false })
    expect(found.rows).toHaveLength(50)
  }
  let nowMs = 0
  const slow = async () => {
    nowMs += 2_000
    return first
  }
  await readHoldings({ history: { ...others, holdingsPage: slow }, nowMs: () => nowMs }, WALLET)
  expect(nowMs).toBe(2_000)
})

test('nothing held is known; other standards and empty rows are not held', async () => {
  const none = await readHoldings(
    { history: { ...others, holdingsPage: async () => undefined }, nowMs: at(0) },
    WALLET,
  )
  expect(none).toEqual({ rows: [], isComplete: true })
  const odd = holdingsPage([row(1, '0'), { ...row(2), token: wireToken({ type: 'ERC-721' }) }, row(3)])
  const found = await readHoldings(
    { history: { ...others, holdingsPage: async () => odd }, nowMs: at(0) },
    WALLET,
  )
  expect(found.rows.map(({ token }) => token)).toEqual([row(3).token.address_hash])
})

test('the first page failing is a failure', async () => {
  const holdingsPageOf = () => Promise.reject(new UpstreamError('down', 'no connection'))
  await expect(
    readHoldings({ history: { ...others, holdingsPage: holdingsPageOf }, nowMs: at(0) }, WALLET),
  ).rejects.toBeInstanceOf(UpstreamError)
})
