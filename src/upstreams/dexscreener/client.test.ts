import { describe, expect, it } from 'vitest'
import { createScriptedUpstream } from '../../testing/upstreams/scripted-upstream.ts'
import { dexPair, OTHER_TOKEN, PAIR, TOKEN, WETH } from '../../testing/upstreams/token-payloads.ts'
import { createDexScreener } from './client.ts'

function open(answer: unknown) {
  const upstream = createScriptedUpstream(() => answer)
  return { ...createDexScreener(upstream), asked: upstream.asked }
}

describe('DexScreener', () => {
  it('lists the pairs of a token, whichever side it stands on', async () => {
    const dex = open([dexPair(), dexPair({ chainId: 'ethereum' }), dexPair({ baseToken: { address: PAIR } })])
    const { pairs } = await dex.tokenPairs(WETH)
    expect(dex.asked).toEqual([{ path: `/token-pairs/v1/base/${WETH}` }])
    expect(pairs.map(({ base, quote }) => [base.address, quote.address])).toEqual([
      [TOKEN, WETH],
      [PAIR, WETH],
    ])
    expect((await open([dexPair()]).tokenPairs(OTHER_TOKEN)).pairs).toEqual([])
    expect((await open([]).tokenPairs(TOKEN)).pairs).toEqual([])
  })

  it('works out what the other token costs', async () => {
    const { pairs } = await open([dexPair(), dexPair({ priceNative: '0' })]).tokenPairs(TOKEN)
    expect(pairs[0]?.quotePriceUsd).toBeCloseTo(0.00042 / 0.0000001345, 6)
    expect(pairs[1]?.quotePriceUsd).toBeUndefined()
  })

  it('leaves open what it was not told', async () => {
    const [bare] = (
      await open([
        dexPair({
          liquidity: null,
          priceChange: null,
          txns: undefined,
          volume: {},
          labels: null,
          info: undefined,
        }),
      ]).tokenPairs(TOKEN)
    ).pairs
    expect(bare).toMatchObject({ labels: [], basePriceUsd: 0.00042 })
    expect([bare?.liquidityUsd, bare?.changePercent.h24, bare?.trades.h24, bare?.links]).toEqual(
      Array(4).fill(undefined),
    )
    expect(bare?.volumeUsd.h24).toBeUndefined()
    const [dead] = (await open([dexPair({ priceUsd: '0', liquidity: { usd: 0 } })]).tokenPairs(TOKEN)).pairs
    expect([dead?.basePriceUsd, dead?.liquidityUsd]).toEqual([undefined, 0])
  })

  it('counts rows that break the format, and refuses a reply that mostly does', async () => {
    const { pairs, skipped } = await open([dexPair(), dexPair({ priceUsd: 'a lot' })]).tokensV1([TOKEN])
    expect([pairs.length, skipped.count]).toEqual([1, 1])
    await expect(open([{}, {}, dexPair()]).tokensV1([TOKEN])).rejects.toMatchObject({ fault: 'malformed' })
    await expect(open({ pairs: null }).tokensV1([TOKEN])).rejects.toMatchObject({ fault: 'malformed' })
  })

  it('asks for up to 30 tokens at once, each once', async () => {
    const dex = open([dexPair()])
    await dex.tokensV1([TOKEN, TOKEN.toUpperCase().replace('0X', '0x'), WETH])
    expect(dex.asked).toEqual([{ path: `/tokens/v1/base/${TOKEN},${WETH}` }])
    const many = Array.from({ length: 31 }, (_, i) => `0x${String(i).padStart(40, '0')}`)
    await expect(dex.tokensV1(many)).rejects.toThrow('1 to 30 addresses')
  })
})
