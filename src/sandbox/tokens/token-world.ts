import type { Address, Hex } from 'viem'

/** What is dangerous about a simulated token, as every risk source tells it in its own words. */
export type TokenTraits = {
  isHoneypot: boolean
  /** Shares of a trade: 0.05 is five percent. */
  buyTax: number
  sellTax: number
  canMint: boolean
  isProxy: boolean
  hasHiddenOwner: boolean
  canTakeBackOwnership: boolean
  canPauseTransfers: boolean
  canBlacklist: boolean
  isOpenSource: boolean
  /** Share of the pool's liquidity that is locked or burnt. */
  lockedLiquidity: number
}

export type SimHolder = {
  address: Address
  amount: bigint
  /** Of the total supply. */
  share: number
  isContract: boolean
  isLocked: boolean
  label?: string
}

/** A token on the simulated Base. Addresses are in lower case everywhere in the world. */
export type SimToken = {
  address: Address
  name: string
  symbol: string
  decimals: number
  totalSupply: bigint
  createdMs: number
  creator: Address
  /** Undefined: given up. */
  owner: Address | undefined
  traits: TokenTraits
  pools: readonly SimPool[]
  /** From this moment on the pool is empty and nothing can be sold; undefined for honest tokens. */
  ruggedAtMs: number | undefined
}

export type SimPool = {
  /** An address, or 32 bytes for a pool of Uniswap v4. */
  id: Hex
  dex: 'uniswap-v3-base' | 'uniswap-v4-base' | 'aerodrome-slipstream'
  token: Address
  quote: Address
  createdMs: number
}

export const SPANS = ['m5', 'h1', 'h6', 'h24'] as const
export type Span = (typeof SPANS)[number]

export type PoolState = {
  priceUsd: number
  liquidityUsd: number
  volumeUsd: Readonly<Record<Span, number>>
  /** Of the price, in percent. */
  change: Readonly<Record<Span, number>>
  trades: Readonly<Record<Span, { buys: number; sells: number; buyers: number; sellers: number }>>
}

export type SimHolding = { token: Address; amount: bigint }
export type SimApproval = { token: Address; spender: Address; amount: bigint; atMs: number }
export type SimTransfer = {
  hash: Hex
  atMs: number
  from: Address
  to: Address
  token: Address
  amount: bigint
}

export type SimWallet = {
  address: Address
  firstSeenMs: number
  /** In wei. */
  ether: bigint
  transactions: number
  holdings: readonly SimHolding[]
  approvals: readonly SimApproval[]
  label?: string
}

export type SimContract = {
  /** What its verified source code calls it; undefined: nobody has seen the code. */
  name: string | undefined
}

/** A large movement. It shows wherever it would: on the chain, in the pool, on the tape of an exchange. */
export type WhaleMove = {
  id: string
  atMs: number
  from: Address
  to: Address
  token: Address
  amount: bigint
  usd: number
  kind: 'to_exchange' | 'from_exchange' | 'wallet_to_wallet' | 'pool_buy' | 'pool_sell'
  /** The coin whose tape shows the trade that follows; undefined where none follows. */
  tape:
    | { coin: 'BTC' | 'ETH' | 'SOL' | 'XRP'; side: 'buy' | 'sell'; usd: number; exchange: string }
    | undefined
}

/** Base as it is simulated: every figure depends on seed and time only, so all providers tell the same. */
export type TokenWorld = {
  /** Those that are listed now, oldest names first; new ones come and go with time. */
  tokens: readonly SimToken[]
  /** Listed or not; undefined for what is no token here. */
  token(address: string): SimToken | undefined
  priceUsd(address: string, atMs: number): number | undefined
  pool(id: string, atMs: number): PoolState | undefined
  holders(address: string, atMs: number): readonly SimHolder[]
  holderCount(address: string, atMs: number): number
  /** As they are now. */
  wallets: readonly SimWallet[]
  wallet(address: string): SimWallet | undefined
  /** Newest first, before `atMs`. */
  transfersOf(wallet: string, atMs: number, limit: number): readonly SimTransfer[]
  /** What is no token and has code: routers, pools, thieves. */
  contract(address: string): SimContract | undefined
  /** Small ones of all wallets, oldest first; `toMs` does not belong to it. */
  smallTransfers(fromMs: number, toMs: number): readonly SimTransfer[]
  /** Oldest first. */
  whaleMoves(fromMs: number, toMs: number): readonly WhaleMove[]
}
