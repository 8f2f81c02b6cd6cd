import { describe, expect, it } from 'vitest'
import { areRecordedMissing, recordedText } from '../../testing/upstreams/recorded.ts'
import { WhalesReply } from '../../upstreams/coinlobster/wire.ts'
import { SizedReply, TransactionReply } from '../../upstreams/mempool/wire.ts'
import { EtfReply } from '../../upstreams/sosovalue/wire.ts'
import { createSimulatedMarket } from '../market/simulated-market.ts'
import { createTokenWorld } from '../tokens/create-token-world.ts'
import { createCoinLobsterServer } from './coinlobster/coinlobster.ts'
import { createMempoolServer } from './mempool/mempool.ts'
import type { ProviderServer } from './provider-server.ts'
import { createSosoValueServer } from './sosovalue/sosovalue.ts'

const START_MS = Date.UTC(2026, 4, 6, 3)
const cadence = { bookEveryMs: 1000, tradesPerSecond: 0.1 }
const market = createSimulatedMarket({ seed: 'whale-providers', startMs: START_MS, cadence })
const tokens = createTokenWorld({ seed: 'whale-providers', market })

const [WHALES, BLOCKS, RECENT] = ['/api/public/crypto-whales', '/api/v1/blocks', '/api/mempool/recent']
const FLOWS = '/openapi/v2/etf/historicalInflowChart'

async function ask({ rest }: ProviderServer, path: string, body?: string) {
  const reply = await rest({
    method: body === undefined ? 'GET' : 'POST',
    path,
    query: new URLSearchParams(),
    headers: {},
    body: Buffer.from(body ?? ''),
  })
  return { status: reply?.status ?? 404, text: String(reply?.body ?? '') }
}
const read = async (server: ProviderServer, path: string, body?: string) =>
  JSON.parse((await ask(server, path, body)).text)
const keysOf = (value: object) => Object.keys(value).sort()

describe('the simulated tellers of whales', () => {
  it('say the same each time they are asked, and after a restart', async () => {
    for (const [create, path] of [
      [createCoinLobsterServer, WHALES],
      [createCoinLobsterServer, '/api/public/liquidations'],
      [createMempoolServer, BLOCKS],
      [createMempoolServer, RECENT],
    ] as const) {
      const first = await ask(create(market, tokens), path)
      expect(first.status).toBe(200)
      expect(await ask(create(market, tokens), path)).toEqual(first)
    }
  })

  it('know no whales without a world, and still answer', async () => {
    expect(await read(createCoinLobsterServer(market, undefined), WHALES)).toEqual({
      success: true,
      whales: [],
    })
    expect(await read(createMempoolServer(market, undefined), BLOCKS)).toHaveLength(15)
  })

  it.skipIf(areRecordedMissing())('write as the real ones do', async () => {
    const theirs = JSON.parse(recordedText('recorded/coinlobster/whales.json')).whales[0]
    const ours = (await read(createCoinLobsterServer(market, tokens), WHALES)).whales[0]
    expect(keysOf(ours)).toEqual(expect.arrayContaining(keysOf(theirs)))
    const mempool = createMempoolServer(market, tokens)
    const docs = (name: string) => JSON.parse(recordedText(`from-docs/mempool/${name}.json`))
    expect(keysOf((await read(mempool, BLOCKS))[0])).toEqual(keysOf(docs('get-blocks')[0]))
    expect(keysOf((await read(mempool, RECENT))[0])).toEqual(keysOf(docs('get-mempool-recent')[0]))
    const fees = await read(mempool, '/api/v1/fees/recommended')
    expect(keysOf(fees)).toEqual(keysOf(docs('get-recommended-fees')))
    const { txid } = (await read(mempool, RECENT))[0]
    expect(keysOf(await read(mempool, `/api/tx/${txid}`))).toEqual(keysOf(docs('get-transaction')))
  })

  it('is read by our own parsers without a loss', async () => {
    const whales = WhalesReply.parse(await read(createCoinLobsterServer(market, tokens), WHALES))
    expect(whales).toMatchObject({ skipped: { count: 0 } })
    expect(whales.trades.length).toBeGreaterThan(0)
    const mempool = createMempoolServer(market, tokens)
    const [{ id, tx_count }] = await read(mempool, BLOCKS)
    const summary = SizedReply.parse(await read(mempool, `/api/v1/block/${id}/summary`))
    expect(summary.transactions).toHaveLength(tx_count)
    const [mined, sent] = summary.transactions
    const full = TransactionReply.parse(await read(mempool, `/api/tx/${mined?.txid}`))
    expect(full).toMatchObject({ isMined: true, blockAtMs: START_MS })
    expect(TransactionReply.parse(await read(mempool, `/api/tx/${sent?.txid}`)).isMined).toBe(false)
  })

  it('refuse as the real ones do', async () => {
    const mempool = createMempoolServer(market, tokens)
    expect(await ask(mempool, `/api/tx/${'0'.repeat(64)}`)).toEqual({
      status: 404,
      text: 'Transaction not found',
    })
    expect(await ask(mempool, `/api/v1/block/${'0'.repeat(64)}/summary`)).toMatchObject({ status: 404 })
    const soso = createSosoValueServer(market)
    expect(await read(soso, FLOWS, '{"type":"us-doge-spot"}')).toMatchObject({ code: 400001, data: null })
    expect(await read(soso, FLOWS, 'no JSON')).toMatchObject({ code: 400001 })
    expect(await ask(soso, FLOWS)).toMatchObject({ status: 405 })
  })

  it('tell the flows of weekdays only, the last one that has ended', async () => {
    const { days } = EtfReply.parse(
      await read(createSosoValueServer(market), FLOWS, '{"type":"us-eth-spot"}'),
    )
    expect(days[0]?.dayMs).toBe(Date.UTC(2026, 4, 5))
    expect(days).toHaveLength(300)
    expect(days.filter(({ dayMs }) => [0, 6].includes(new Date(dayMs).getUTCDay()))).toEqual([])
  })
})
