import { describe, expect, it } from 'vitest'
import { createScriptedUpstream } from '../../testing/upstreams/scripted-upstream.ts'
import { PathPartError } from '../rules/path-parts.ts'
import { createMempool } from './client.ts'

const TXID = '5e'.repeat(32)
const transaction = { txid: TXID, vin: [], vout: [], status: { confirmed: false } }

describe('mempool.space', () => {
  it('is asked at its addresses', async () => {
    const upstream = createScriptedUpstream(({ path }) => (path.startsWith('/api/tx/') ? transaction : []))
    const mempool = createMempool(upstream)
    await expect(mempool.blocks(), 'a chain without blocks').rejects.toThrow('expected 1 to 100 items')
    await mempool.blockSummary(TXID)
    await mempool.recent()
    await mempool.transaction(TXID)
    expect(upstream.asked.map(({ path }) => path)).toEqual([
      '/api/v1/blocks',
      `/api/v1/block/${TXID}/summary`,
      '/api/mempool/recent',
      `/api/tx/${TXID}`,
    ])
  })

  it('must answer with the transaction that was asked for', async () => {
    const mempool = createMempool(createScriptedUpstream(() => transaction))
    await expect(mempool.transaction('ab'.repeat(32))).rejects.toThrow('another transaction')
  })

  it.each(['', '..', '../../x', `${TXID}/x`, TXID.toUpperCase(), 'x'.repeat(64)])(
    'is not sent %j',
    async (hash) => {
      const upstream = createScriptedUpstream(() => [])
      const mempool = createMempool(upstream)
      await expect(mempool.transaction(hash)).rejects.toThrow(PathPartError)
      await expect(mempool.blockSummary(hash)).rejects.toThrow(PathPartError)
      expect(upstream.asked).toEqual([])
    },
  )
})
