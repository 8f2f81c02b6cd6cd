import { describe, expect, it } from 'vitest'
import { createBlockscout } from '../../../upstreams/blockscout/client.ts'
import { UpstreamError } from '../../../upstreams/upstream.ts'
import { parseWire } from '../../../upstreams/wire/reply.ts'
import { createSimulatedMarket } from '../../market/simulated-market.ts'
import { createTokenWorld } from '../../tokens/create-token-world.ts'
import { USDC, WETH } from '../../tokens/known-addresses.ts'
import { simAddress } from '../../tokens/sim-address.ts'
import { createBlockscoutServer } from './blockscout.ts'

const NOW_MS = Date.UTC(2026, 4, 6, 12)
const market = createSimulatedMarket({ seed: 'scout', startMs: NOW_MS, cadence: { bookEveryMs: 1_000 } })
const world = createTokenWorld({ seed: 'scout', market })
const server = createBlockscoutServer(market, world)

const get = async (path: string, method = 'GET') =>
  server.rest({ method, path, query: new URLSearchParams(), headers: {}, body: '' } as never)

const scout = createBlockscout({
  async ask({ path, schema }) {
    const reply = await get(path)
    if (!reply || reply.status === 404) throw new UpstreamError('not_found', 'no such thing')
    return parseWire(schema, JSON.parse(String(reply.body)), path)
  },
})

describe('the simulated explorer, read by our client', () => {
  it('tells every token as the world has it, whatever its name', async () => {
    for (const token of world.tokens) {
      const found = await scout.token(token.address)
      expect(found).toMatchObject({
        address: token.address,
        decimals: token.decimals,
        totalSupply: token.totalSupply,
        holders: world.holderCount(token.address, NOW_MS),
        priceUsd: world.priceUsd(token.address, NOW_MS),
      })
      expect(token.name.startsWith(found?.name ?? '?')).toBe(true)
    }
  })

  it('lists holders, largest first, by their names', async () => {
    const page = await scout.holders(USDC)
    const amounts = page?.rows.map(({ amount }) => amount) ?? []
    expect(page?.skipped.count).toBe(0)
    expect(amounts).toEqual([...amounts].sort((a, b) => (a < b ? 1 : -1)))
    expect(page?.rows.map(({ label }) => label)).toContain('Coinbase: hot wallet 1')
  })

  it('tells what a wallet has and did', async () => {
    for (const wallet of world.wallets) {
      expect(await scout.address(wallet.address)).toMatchObject({ wei: wallet.ether, isContract: false })
      expect(await scout.counters(wallet.address)).toMatchObject({ transactions: wallet.transactions })
      const held = (await scout.holdings(wallet.address))?.rows ?? []
      expect(held.map(({ token, amount }) => ({ token: token.address, amount }))).toEqual(wallet.holdings)
      const transfers = await scout.tokenTransfers(wallet.address)
      expect(transfers?.rows.map(({ hash }) => hash)).toEqual(
        world.transfersOf(wallet.address, NOW_MS, 50).map(({ hash }) => hash),
      )
      const sent = await scout.transactions(wallet.address)
      expect(sent?.rows.every(({ from }) => from.address === wallet.address)).toBe(true)
      // Whoever counts them, as the node does, must not find more than a list that says it is whole.
      expect(sent?.rows).toHaveLength(Math.min(50, wallet.transactions))
      expect(sent?.hasMore).toBe(wallet.transactions > 50)
      const times = sent?.rows.map(({ atMs }) => atMs ?? 0) ?? []
      expect(times).toEqual(times.toSorted((a, b) => b - a))
      expect(times.every((ms) => ms >= wallet.firstSeenMs && ms <= NOW_MS)).toBe(true)
    }
  })

  it('knows nobody else', async () => {
    const nobody = simAddress('nobody')
    expect(await scout.token(nobody)).toBeUndefined()
    expect(await scout.holders(nobody)).toBeUndefined()
    expect(await scout.address(nobody)).toBeUndefined()
    expect(await get('/api/v2/tokens/0x12')).toMatchObject({ status: 422 })
    expect(await get(`/api/v2/tokens/${WETH}/instances`)).toBeUndefined()
    expect(await get(`/api/v2/tokens/${WETH}`, 'POST')).toMatchObject({ status: 405 })
  })
})
