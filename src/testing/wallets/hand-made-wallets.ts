import { DAY_MS, HOUR_MS } from '../../core/time/time.ts'
import { denied, type Part } from '../../intel/part.ts'
import type { TokenFactsReader } from '../../intel/tokens/facts/token-facts.ts'
import type { HeldToken } from '../../intel/wallets/facts/holdings.ts'
import type { TokenQuote } from '../../intel/wallets/facts/token-quotes.ts'
import type { WalletPorts } from '../../intel/wallets/facts/wallet-ports.ts'
import type { WalletFigures } from '../../intel/wallets/wallet-analysis.ts'
import { WALLET_PARTS } from '../../intel/wallets/wallet-analysis.ts'
import { toWealth } from '../../intel/wallets/wealth.ts'
import { HoldingsPage } from '../../upstreams/blockscout/history-wire.ts'
import {
  AddressReply,
  type Page,
  type ScoutTransaction,
  type ScoutTransfer,
  TransactionsReply,
  TransfersReply,
} from '../../upstreams/blockscout/wire.ts'
import { security } from '../tokens/hand-made-tokens.ts'

export const WALLETS_NOON_MS = Date.parse('2026-01-05T12:00:00.000Z')
export const WALLET = `0x${'a1'.repeat(20)}`
export const FRIEND = `0x${'b2'.repeat(20)}`
export const SPENDER = `0x${'c3'.repeat(20)}`
export const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const WETH = '0x4200000000000000000000000000000000000006'
export const COIN = `0x${'d4'.repeat(20)}`
export const UNLIMITED = 2n ** 256n - 1n

/** A token as the explorer writes it. */
export const wireToken = (over: Record<string, unknown> = {}) => ({
  address_hash: USDC,
  name: 'USD Coin',
  symbol: 'USDC',
  decimals: '6',
  type: 'ERC-20',
  exchange_rate: '1',
  holders_count: '6000000',
  reputation: 'ok',
  ...over,
})
export const coin = (over: Record<string, unknown> = {}) =>
  wireToken({
    address_hash: COIN,
    name: 'Coffee',
    symbol: 'CUP',
    decimals: '18',
    exchange_rate: null,
    ...over,
  })

type WireHolding = { token: Record<string, unknown>; value: string }
export const holdingsPage = (items: readonly WireHolding[], next: unknown = null): HoldingsPage =>
  HoldingsPage.parse({ items, next_page_params: next })

export const wireTransfer = (over: Record<string, unknown> = {}) => ({
  transaction_hash: `0x${'e5'.repeat(32)}`,
  timestamp: new Date(WALLETS_NOON_MS - 3 * HOUR_MS).toISOString(),
  from: { hash: WALLET },
  to: { hash: FRIEND },
  token: wireToken(),
  total: { value: '25000000', decimals: '6' },
  method: 'transfer',
  type: 'token_transfer',
  ...over,
})
export const transfersPage = (items: readonly unknown[], next: unknown = null): Page<ScoutTransfer> =>
  TransfersReply.parse({ items, next_page_params: next })
export const transactionsPage = (items: readonly unknown[], next: unknown = null): Page<ScoutTransaction> =>
  TransactionsReply.parse({ items, next_page_params: next })

export const aboutWallet = (over: Record<string, unknown> = {}) =>
  AddressReply.parse({ hash: WALLET, coin_balance: '2000000000000000000', is_contract: false, ...over })

type Over = {
  chain?: Partial<WalletPorts['chain']>
  explorer?: Partial<WalletPorts['explorer']>
  history?: Partial<WalletPorts['history']>
}

/** An account of two years with two ether, 1,000 USDC and nothing dangerous. */
export function walletPorts({ chain, explorer, history }: Over = {}): WalletPorts {
  return {
    chain: {
      codeOf: async () => '0x',
      ether: async () => 2n * 10n ** 18n,
      haveEtherOrCode: async (addresses) => addresses.map(() => true),
      nonce: async () => 420,
      blockNumber: async () => 40_000_000,
      approvalEvents: async () => ({ rows: [], fromBlock: 0 }),
      allowances: async (_, given) => given.map(() => 0n),
      ...chain,
    },
    explorer: {
      address: async () => aboutWallet(),
      tokenTransfers: async () => transfersPage([wireTransfer()]),
      // There are older ones: the node counts 420.
      transactions: async () => transactionsPage([], { items_count: 50 }),
      ...explorer,
    },
    history: {
      holdingsPage: async () => holdingsPage([{ token: wireToken(), value: '1000000000' }]),
      approvals: async () => ({ rows: [], isComplete: true }),
      firstTransactionMs: async () => WALLETS_NOON_MS - 730 * DAY_MS,
      ...history,
    },
  }
}

/** Ether at 4,000 dollars, USDC at one, and what else is told here. */
export function tokenReader(
  prices: Readonly<Record<string, { priceUsd: number; liquidityUsd?: number }>> = {},
  securities: Readonly<Record<string, Record<string, unknown>>> = {},
): Pick<TokenFactsReader, 'readOne'> {
  const all: typeof prices = {
    [WETH]: { priceUsd: 4_000, liquidityUsd: 9e7 },
    [USDC]: { priceUsd: 1, liquidityUsd: 9e7 },
    ...prices,
  }
  const found = (source: string, value: unknown) => ({
    source,
    status: 'fresh' as const,
    value,
    asOfMs: WALLETS_NOON_MS,
  })
  const readOne = async (name: string, address: string): Promise<Part<unknown>> => {
    const [price, checked] = [all[address], securities[address]]
    if (name === 'price') return price ? found('geckoterminal', price) : denied('geckoterminal')
    if (name === 'security') return checked ? found('goplus', security(checked)) : denied('goplus')
    return denied(name)
  }
  return { readOne: readOne as TokenFactsReader['readOne'] }
}

export const held = (over: Partial<HeldToken> = {}): HeldToken => ({
  token: COIN,
  name: 'Coffee',
  symbol: 'CUP',
  decimals: 18,
  units: 10n ** 18n,
  explorerPriceUsd: undefined,
  holders: undefined,
  reputation: 'ok',
  ...over,
})
export const quote = (over: Partial<TokenQuote> = {}): TokenQuote => ({
  priceUsd: 2,
  isAnswered: true,
  liquidityUsd: 1_000_000,
  otherLiquidityUsd: 10_000_000,
  creator: undefined,
  scamReason: undefined,
  ...over,
})

/** Old, busy, spread and without anything dangerous. */
export function walletFigures(over: Partial<WalletFigures> = {}): WalletFigures {
  const part: Part<unknown> = { source: 'x', status: 'fresh', value: undefined, asOfMs: WALLETS_NOON_MS }
  const tokens = ['11', '22', '33'].map((pair) => `0x${pair.repeat(20)}`)
  return {
    address: WALLET,
    kind: 'account',
    delegate: undefined,
    label: undefined,
    isReported: false,
    wealth: toWealth({
      wei: 10n * 10n ** 18n,
      held: { rows: tokens.map((token) => held({ token, units: 20_000n * 10n ** 18n })), isComplete: true },
      quotes: new Map(tokens.map((token) => [token, quote()])),
      etherPriceUsd: 4_000,
    }),
    activity: {
      firstSeenMs: WALLETS_NOON_MS - 800 * DAY_MS,
      ageMs: 800 * DAY_MS,
      lastActiveMs: WALLETS_NOON_MS - DAY_MS,
      idleMs: DAY_MS,
      sent: 1_000,
      outgoing: 10,
      hasGap: false,
      recent: [],
    },
    counterparties: { all: [], movements: 0, riskyMovements: 0, sentToRisky: 0, isComplete: true },
    approvals: { open: [], atRiskUsd: 0, isComplete: true },
    parts: Object.fromEntries(WALLET_PARTS.map((name) => [name, part])) as WalletFigures['parts'],
    asOfMs: WALLETS_NOON_MS,
    ...over,
  }
}
