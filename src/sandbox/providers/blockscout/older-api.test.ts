import { expect, test } from 'vitest'
import { createScoutHistory } from '../../../upstreams/blockscout/history.ts'
import { UpstreamError } from '../../../upstreams/upstream.ts'
import { parseWire } from '../../../upstreams/wire/reply.ts'
import { createSimulatedMarket } from '../../market/simulated-market.ts'
import { createTokenWorld } from '../../tokens/create-token-world.ts'
import { createBlockscoutServer } from './blockscout.ts'

const NOW_MS = Date.UTC(2026, 4, 6, 12)
const market = createSimulatedMarket({ seed: 'older', startMs: NOW_MS, cadence: { bookEveryMs: 1_000 } })
const world = createTokenWorld({ seed: 'older', market })
const server = createBlockscoutServer(market, world)

const history = createScoutHistory({
  async ask({ path, query = {}, schema }) {
    const texts = Object.entries(query).map(([key, value]): [string, string] => [key, String(value)])
    const request = { method: 'GET', path, query: new URLSearchParams(texts), headers: {}, body: '' }
    const reply = await server.rest(request as never)
    if (!reply || reply.status === 404) throw new UpstreamError('not_found', 'no such thing')
    return parseWire(schema, JSON.parse(String(reply.body)), path)
  },
})

test('the explorer tells what every wallet approved, oldest first, and when it began', async () => {
  for (const wallet of world.wallets) {
    const { rows, isComplete } = await history.approvals(wallet.address)
    expect(isComplete).toBe(true)
    expect(rows.map(({ token, spender, amount, atMs }) => ({ token, spender, amount, atMs }))).toEqual(
      wallet.approvals.toSorted((a, b) => a.atMs - b.atMs),
    )
    expect(await history.firstTransactionMs(wallet.address)).toBe(
      wallet.transactions === 0 ? undefined : wallet.firstSeenMs,
    )
  }
})

test('of an address that nobody used it knows nothing', async () => {
  const nobody = `0x${'12'.repeat(20)}`
  expect(await history.approvals(nobody)).toEqual({ rows: [], isComplete: true })
  expect(await history.firstTransactionMs(nobody)).toBeUndefined()
  expect((await history.holdingsPage(nobody))?.rows).toEqual([])
})
