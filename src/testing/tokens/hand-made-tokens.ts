import { DAY_MS } from '../../core/time/time.ts'
import type { ContractFacts, TokenPorts } from '../../intel/tokens/facts/token-ports.ts'
import { POWERS, type Power, type TokenFigures, type Told } from '../../intel/tokens/token-analysis.ts'
import { DexPair } from '../../upstreams/dexscreener/wire.ts'
import { Security, type TokenSecurity } from '../../upstreams/goplus/wire.ts'
import { type Simulation, SimulationReply } from '../../upstreams/honeypot/wire.ts'
import { sampleFigures } from './sample-figures.ts'

export const TOKENS_NOON_MS = Date.parse('2026-01-05T12:00:00.000Z')
export const TOKEN = `0x${'c0ffee'.padStart(40, '1')}`
export const WETH = '0x4200000000000000000000000000000000000006'

/** A pair as DexScreener sends it, read by its own schema. */
export function dexPair(over: Record<string, unknown> = {}): DexPair {
  return DexPair.parse({
    chainId: 'base',
    dexId: 'uniswap',
    pairAddress: `0x${'aa'.repeat(20)}`,
    baseToken: { address: TOKEN, name: 'Coffee', symbol: 'CUP' },
    quoteToken: { address: WETH, name: 'Wrapped Ether', symbol: 'WETH' },
    priceNative: '0.0004',
    priceUsd: '1.5',
    txns: { h24: { buys: 400, sells: 380 } },
    volume: { h24: 250_000, h6: 60_000, h1: 12_000, m5: 900 },
    priceChange: { m5: 0.1, h1: -0.4, h6: 2, h24: 3.5 },
    liquidity: { usd: 2_000_000, base: 666_667, quote: 266.7 },
    fdv: 15_000_000,
    marketCap: 12_000_000,
    pairCreatedAt: TOKENS_NOON_MS - 400 * DAY_MS,
    ...over,
  })
}

/** A contract in which GoPlus finds nothing. */
export function security(over: Record<string, unknown> = {}): TokenSecurity {
  const holders = Array.from({ length: 10 }, (_, i) => ({
    address: `0x${String(i).padStart(40, '7')}`,
    percent: '0.01',
    is_contract: 0,
    is_locked: 0,
  }))
  return Security.parse({
    token_name: 'Coffee',
    token_symbol: 'CUP',
    total_supply: '10000000',
    is_honeypot: '0',
    buy_tax: '0',
    sell_tax: '0',
    transfer_tax: '0',
    cannot_sell_all: '0',
    slippage_modifiable: '0',
    personal_slippage_modifiable: '0',
    transfer_pausable: '0',
    is_blacklisted: '0',
    is_open_source: '1',
    is_proxy: '0',
    is_mintable: '0',
    selfdestruct: '0',
    hidden_owner: '0',
    can_take_back_ownership: '0',
    owner_change_balance: '0',
    owner_address: '',
    creator_percent: '0.001',
    holder_count: '25000',
    holders,
    lp_holders: [{ address: `0x${'0'.repeat(36)}dead`, percent: '1', is_contract: 0, is_locked: 1 }],
    ...over,
  })
}

/** A sale that honeypot.is tried and that went well. */
export function simulation(over: Record<string, unknown> = {}): Simulation {
  return SimulationReply.parse({
    token: { address: TOKEN, totalHolders: 25_000 },
    simulationSuccess: true,
    honeypotResult: { isHoneypot: false },
    simulationResult: { buyTax: 0, sellTax: 0, transferTax: 0 },
    contractCode: { openSource: true, isProxy: false },
    ...over,
  })
}

export const CONTRACT: ContractFacts = {
  name: 'Coffee',
  symbol: 'CUP',
  decimals: 18,
  totalSupply: 10_000_000,
}

/** Sources that know `TOKEN` and nothing bad of it. */
export function tokenPorts(over: Partial<TokenPorts> = {}): TokenPorts {
  const only =
    <T>(value: T) =>
    async (address: string) =>
      address === TOKEN ? value : undefined
  return {
    pairs: async (address) => (address === TOKEN ? [dexPair()] : []),
    geckoPrice: only({
      priceUsd: 1.51,
      marketCapUsd: 12_100_000,
      volume24hUsd: 240_000,
      change24hPercent: 3.4,
      liquidityUsd: 1_900_000,
      lastTradeMs: TOKENS_NOON_MS,
    }),
    security: only(security()),
    simulation: only(simulation()),
    holders: only({
      count: 25_100,
      holders: [
        { address: `0x${'7'.repeat(40)}`, share: 0.03, isContract: false, isLocked: undefined },
        { address: `0x${'aa'.repeat(20)}`, share: 0.5, isContract: true, isLocked: undefined },
      ],
    }),
    contract: only(CONTRACT),
    ...over,
  }
}

export const powersAre = (answer: Told<boolean> | undefined): Record<Power, Told<boolean> | undefined> =>
  Object.fromEntries(POWERS.map((power) => [power, answer])) as Record<Power, Told<boolean> | undefined>

/** A token about which everything is known and nothing is bad. */
export function soundFigures(): TokenFigures {
  const told = <T>(value: T): Told<T> => ({ value, source: 'goplus' })
  return {
    ...sampleFigures,
    address: TOKEN,
    identity: {
      name: 'Coffee',
      symbol: 'CUP',
      isWithheld: false,
      alsoCalled: [],
      decimals: 18,
      totalSupply: 10_000_000,
    },
    market: {
      priceUsd: 1.5,
      change: { m5: 0, h1: 0, h6: 0, h24: 0 },
      volumeUsd24h: 250_000,
      buys24h: 400,
      sells24h: 380,
      liquidityUsd: 2_000_000,
      pools: 1,
      marketCapUsd: 12_000_000,
      fdvUsd: 15_000_000,
      createdMs: TOKENS_NOON_MS - 400 * DAY_MS,
      ageMs: 400 * DAY_MS,
    },
    holders: {
      count: told(25_000),
      top10Share: told(0.1),
      largest: told({ address: `0x${'7'.repeat(40)}`, share: 0.03 }),
      contractShare: told(0),
      creatorShare: told(0.001),
      ownerShare: told(0),
      lockedLiquidityShare: told(1),
    },
    taxes: { buy: told(0), sell: told(0), transfer: told(0) },
    powers: { ...powersAre(told(false)), owner: told('renounced' as const), isTrusted: false },
  }
}
