import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { areRecordedMissing, FIXTURES, recordedText as textOf } from '../../testing/upstreams/recorded.ts'
import { PARSERS, UNREAD } from '../../testing/upstreams/token-parsers.ts'
import type { DexPairs } from '../dexscreener/wire.ts'

const areMissing = areRecordedMissing()
const read = (file: string) => PARSERS[file]?.(JSON.parse(textOf(file)), textOf(file))
const gecko = (name: string) => read(`recorded/geckoterminal/${name}.json`)
const onchain = (name: string) => read(`from-docs/coingecko/onchain_${name}.json`)
const filesIn = (folder: string) => readdirSync(new URL(folder, FIXTURES)).map((file) => `${folder}/${file}`)

describe.skipIf(areMissing)('recorded replies about tokens', () => {
  it('has a parser, or a reason, for every one of them', () => {
    const recorded = ['geckoterminal', 'dexscreener', 'goplus', 'honeypot-is'].flatMap((host) =>
      filesIn(`recorded/${host}`),
    )
    const documented = filesIn('from-docs/coingecko').filter((file) => file.includes('/onchain_'))
    expect([...Object.keys(PARSERS), ...Object.keys(UNREAD)].sort()).toEqual(
      [...recorded, ...documented].sort(),
    )
  })

  it('reads new pools of another chain, with NaN and null in them', () => {
    const { pools, skipped } = gecko('new_pools_solana') as { pools: unknown[]; skipped: unknown }
    expect([pools.length, skipped]).toEqual([3, { count: 0, reasons: [] }])
    expect(pools[0]).toMatchObject({
      network: 'solana',
      // The case of such an address matters.
      id: 'HwXZkhyeGPaLurvrkM29rFrVYomih5M6kfJZtw5PGTBg',
      name: 'GREG / SOL',
      dex: 'pump-fun',
      base: {
        network: 'solana',
        address: 'huGbvMBsED85Z2P2S5bkiJkRbL7RSaqzd1iZ39qpump',
        symbol: 'GREG',
        decimals: 6,
        coinId: undefined,
      },
      quote: { symbol: 'SOL', coinId: 'wrapped-solana' },
      basePriceUsd: expect.closeTo(0.0000566673284218, 15),
      quotePriceUsd: expect.closeTo(212.765083062, 9),
      fdvUsd: undefined,
      marketCapUsd: undefined,
      createdAtMs: Date.UTC(2025, 8, 9, 1, 42, 11),
      trades: { h24: { buys: 20, sells: 0, buyers: 14, sellers: 0 } },
      changePercent: { m5: 93.594 },
    })
    expect(pools[2]).toMatchObject({ changePercent: { h24: -17.673 }, liquidityUsd: 4740.9637 })
  })

  it('reads trending pools of Base, whose ids have 32 bytes', () => {
    expect(onchain('trending_pools_all')).toMatchObject({
      pools: [
        {
          network: 'base',
          id: '0xec33256bf1ded407a57fd3c1965e7556e42ac14db09bc4e6fef57d5e2eb0b0b9',
          dex: 'uniswap-v4-base',
          base: { address: '0x5f980dcfc4c0fa3911554cf5ab288ed0eb13dba3', symbol: 'GITLAWB' },
          quote: { address: '0x4200000000000000000000000000000000000006' },
          basePriceUsd: 0.0000738759066917531,
          liquidityUsd: 2_471_839.0983,
          volumeUsd: { h24: 2_108_583.76373177 },
          changePercent: { h24: -30.893 },
          marketCapUsd: 7_387_590.669,
          reports: 6,
        },
      ],
    })
    expect(onchain('trending_pools')).toMatchObject({ pools: [{ base: { decimals: 9 }, reports: 4 }] })
    expect(onchain('token_pools')).toMatchObject({
      pools: [{ name: 'USDC / USDT', dex: 'uniswap-v4-ethereum' }],
    })
  })

  it('reads candles, oldest first', () => {
    const candles = gecko('pool_ohlcv') as { openMs: number }[]
    expect(candles).toHaveLength(35)
    expect(candles[0]).toMatchObject({ openMs: 1_755_725_400_000, low: 6.477105485869412e-5 })
    expect(candles.at(-1)).toEqual({
      openMs: 1_755_756_000_000,
      open: 1.613691542742065e-5,
      high: 1.8577063943794163e-5,
      low: 1.613691542742065e-5,
      close: 1.8111106133282376e-5,
      volumeUsd: 941.0332575772828,
    })
    expect(onchain('ohlcv')).toMatchObject([{ close: 1.00208165944741 }, { close: 1.00027690571219 }])
  })

  it('reads prices, a token and what is thought of it', () => {
    expect(onchain('simple_token_price')).toEqual(
      new Map([
        [
          '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
          {
            priceUsd: 2084.57379936447,
            marketCapUsd: 4_706_652_516.682727,
            volume24hUsd: 313_441_016.145429,
            change24hPercent: -1.8867250098940773,
            liquidityUsd: 1_015_673_598.89645,
            lastTradeMs: 1_779_882_383_000,
          },
        ],
      ]),
    )
    expect(onchain('token')).toMatchObject({
      network: 'eth',
      symbol: 'USDT',
      decimals: 6,
      totalSupply: 97_071_854_588.4303,
      priceUsd: 0.9976477279,
      volume24hUsd: 572_433_180.559528,
      topPools: ['0x395f91b34aa34a477ce3bc6505639a821b286a62b1a164fc1887fa3a5ef713a5'],
    })
    expect(onchain('token_info')).toMatchObject({
      score: 86.54440366972477,
      scoreParts: { transaction: 66.667 },
      isVerified: true,
      holders: { count: 47_911, top10Percent: 73.7977, top21To40Percent: 5.6147 },
      canMint: false,
      canFreeze: false,
      isHoneypot: undefined,
      developerPercent: 0,
      websites: 2,
    })
  })

  it('reads pairs of DexScreener, of which one has no change over five minutes', () => {
    const reply = read('recorded/dexscreener/tokens_v1.json') as DexPairs
    expect(reply.pairs[1]?.changePercent.m5).toBeUndefined()
    expect(reply).toMatchObject({
      pairs: [
        {
          chain: 'solana',
          dex: 'orca',
          labels: ['wp'],
          id: '5zpyutJu9ee6jFymDGoK7F6S5Kczqtc9FomP3ueKuyA9',
          basePriceUsd: 0.000003733,
          quotePriceUsd: expect.closeTo(122.1132, 3),
          liquidityUsd: 425_962.72,
          trades: { h24: { buys: 10_313, sells: 11_861 } },
          createdAtMs: 1_671_980_424_000,
          links: 3,
        },
        {
          chain: 'robinhood',
          id: '0x708aef3736c15fcc1c0b3606c5b9a33fe8656784',
          base: { address: '0xae2df3c1749daee721c1bfcbbfdde5d61ae7cb99' },
          changePercent: { h1: 0.07, h6: -9.85, h24: -16.25 },
          fdvUsd: 9779,
        },
      ],
      skipped: { count: 0 },
    })
  })

  it('reads what GoPlus finds: what it leaves out is unknown', () => {
    const { code, tokens } = read('recorded/goplus/token_security_bsc.json') as {
      code: number
      tokens: ReadonlyMap<string, unknown>
    }
    expect([code, tokens.size]).toEqual([1, 2])
    expect(tokens.get('0x6b4acce5878c2850b5d5acfdde009cc4c9e14444')).toMatchObject({
      name: 'BSN',
      isHoneypot: false,
      buyTax: 0,
      sellTax: 0,
      holderCount: 0,
      holders: undefined,
      lpHolders: undefined,
      isTrusted: undefined,
      owner: '0x5c952063c7fc8610ffdb798152d69f0b9550762b',
    })
    expect(tokens.get('0x0e09fabb73bd3ade0a17ecc321fd13a19e81ce82')).toMatchObject({
      canMint: true,
      buyTax: undefined,
      transferTax: undefined,
      cannotSellAll: undefined,
      holderCount: 1_913_743,
      holders: [
        { share: expect.closeTo(0.937532374328921, 12), isLocked: true, isContract: false, label: undefined },
        {},
      ],
      ownerShare: 0.001349,
      isTrusted: true,
    })
  })

  it('reads a simulation of honeypot.is', () => {
    expect(read('recorded/honeypot-is/is_honeypot_clean_univ3.json')).toMatchObject({
      address: '0xdac17f958d2ee523a2206206994597c13d831ec7',
      verdict: 'sellable',
      buyTax: 0,
      sellTax: 0,
      buyGas: 176_752,
      risk: 'low',
      riskLevel: 1,
      flags: [],
      holderCount: 6_354_736,
      holders: undefined,
      isOpenSource: true,
      pool: '0x4e68ccd3e89f51c3074ca5072bbac773960dfa36',
      poolLiquidityUsd: 119_074_507.63794056,
      poolCreatedAtMs: 1_620_232_628_000,
    })
  })
})
