import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { WALLET } from '../rules/path-parts.ts'
import { wireUnits } from '../wire/amount.ts'
import { readRows, type Skipped } from '../wire/list.ts'
import { maybeFlag, maybeNumber, wireNumber } from '../wire/number.ts'
import { wireArray } from '../wire/text.ts'
import { maybeTime, wireTime } from '../wire/time.ts'
import { orUnknown, shownWords } from '../wire/unknown.ts'

/** A page has 50 rows. */
const MAX_ROWS = 200
const MAX_NAME_CHARS = 200
const MAX_COUNT = 1e12
const MAX_USD = 1e15
const MAX_DECIMALS = 255
const MAX_TAGS = 20
const HASH = /^0x[0-9a-fA-F]{64}$/

const address = () =>
  z
    .string()
    .regex(WALLET, 'expected an address')
    .transform((text) => text.toLowerCase() as Address)
const hash = () =>
  z
    .string()
    .regex(HASH, 'expected a hash')
    .transform((text) => text.toLowerCase() as Hex)
const maybeAddress = () =>
  orUnknown(
    address()
      .nullish()
      .transform((found) => found ?? undefined),
  )
const count = () => orUnknown(maybeNumber({ min: 0, max: MAX_COUNT }))
const usd = () => orUnknown(maybeNumber({ min: 0, max: MAX_USD }))
const maybeUnits = () =>
  orUnknown(
    wireUnits()
      .nullish()
      .transform((found) => found ?? undefined),
  )
const words = () => shownWords(MAX_NAME_CHARS)

/** Older instances call the address and the number of holders by shorter names. */
export const TokenReply = z
  .object({
    address_hash: z.unknown().optional(),
    address: z.unknown().optional(),
    name: words(),
    symbol: words(),
    type: words(),
    decimals: orUnknown(maybeNumber({ min: 0, max: MAX_DECIMALS })),
    total_supply: maybeUnits(),
    holders_count: count(),
    holders: count(),
    exchange_rate: usd(),
    circulating_market_cap: usd(),
    volume_24h: usd(),
    reputation: words(),
  })
  .transform((wire, { issues }) => {
    const found = address().safeParse(wire.address_hash ?? wire.address)
    if (!found.success)
      issues.push({ code: 'custom', message: 'expected the address of a token', input: undefined })
    return {
      address: (found.data ?? '0x') as Address,
      name: wire.name,
      symbol: wire.symbol,
      /** `ERC-20`, `ERC-721` and so on. */
      type: wire.type,
      decimals: wire.decimals,
      totalSupply: wire.total_supply,
      holders: wire.holders_count ?? wire.holders,
      priceUsd: wire.exchange_rate,
      marketCapUsd: wire.circulating_market_cap,
      volume24hUsd: wire.volume_24h,
      reputation: wire.reputation,
    }
  })
export type ScoutToken = z.output<typeof TokenReply>

/** An address as it stands in rows. */
const Party = z
  .object({
    hash: address(),
    name: words(),
    is_contract: orUnknown(maybeFlag()),
    is_scam: orUnknown(maybeFlag()),
    public_tags: orUnknown(wireArray(z.object({ display_name: words() }), MAX_TAGS)),
    metadata: orUnknown(z.object({ tags: wireArray(z.object({ name: words() }), MAX_TAGS) })),
  })
  .transform(({ hash: party, name, is_contract, is_scam, public_tags, metadata }) => ({
    address: party,
    isContract: is_contract,
    isScam: is_scam,
    /** What people call it; empty where nobody named it. */
    label: metadata?.tags[0]?.name || public_tags?.[0]?.display_name || name,
    /** What the explorer says of it. A name may be its own claim. */
    tags: [
      ...(metadata?.tags ?? []).map((tag) => tag.name),
      ...(public_tags ?? []).map((tag) => tag.display_name),
    ],
  }))

export const AddressReply = z
  .object({
    hash: address(),
    name: words(),
    coin_balance: maybeUnits(),
    is_contract: orUnknown(maybeFlag()),
    is_verified: orUnknown(maybeFlag()),
    is_scam: orUnknown(maybeFlag()),
    creator_address_hash: maybeAddress(),
    has_tokens: orUnknown(maybeFlag()),
    has_token_transfers: orUnknown(maybeFlag()),
  })
  .transform((wire) => ({
    address: wire.hash,
    name: wire.name,
    wei: wire.coin_balance,
    isContract: wire.is_contract,
    isVerified: wire.is_verified,
    isScam: wire.is_scam,
    creator: wire.creator_address_hash,
    hasTokens: wire.has_tokens,
    hasTokenTransfers: wire.has_token_transfers,
  }))
export type ScoutAddress = z.output<typeof AddressReply>

export const CountersReply = z
  .object({
    transactions_count: wireNumber({ min: 0, max: MAX_COUNT }),
    token_transfers_count: count(),
  })
  .transform((wire) => ({
    transactions: wire.transactions_count,
    tokenTransfers: wire.token_transfers_count,
  }))
export type ScoutCounters = z.output<typeof CountersReply>

/** One page of rows; `hasMore` where the provider has further ones. */
export type Page<Row> = { rows: readonly Row[]; skipped: Skipped; hasMore: boolean }

const pageOf = <Row extends z.ZodType>(row: Row) =>
  z
    .object({ items: wireArray(z.unknown(), MAX_ROWS), next_page_params: z.unknown().optional() })
    .transform(({ items, next_page_params }, { issues }): Page<z.output<Row>> => {
      const { rows, skipped, isBroken } = readRows(items, row)
      if (isBroken) {
        const message = `${skipped.count} rows break the format: ${skipped.reasons[0]}`
        issues.push({ code: 'custom', message, input: undefined })
      }
      return { rows, skipped, hasMore: next_page_params !== null && next_page_params !== undefined }
    })

const Holder = z
  .object({ address: Party, value: wireUnits() })
  .transform(({ address: holder, value }) => ({ ...holder, amount: value }))
export const HoldersReply = pageOf(Holder)
export type ScoutHolder = z.output<typeof Holder>

const Holding = z
  .object({ token: TokenReply, value: wireUnits() })
  .transform(({ token, value }) => ({ token, amount: value }))
export const HoldingsReply = pageOf(Holding)
export type ScoutHolding = z.output<typeof Holding>

const Transfer = z
  .object({
    transaction_hash: hash(),
    timestamp: wireTime(),
    from: Party,
    to: Party,
    token: TokenReply,
    total: z.object({ value: wireUnits() }),
    method: words(),
    type: words(),
  })
  .transform((wire) => ({
    hash: wire.transaction_hash,
    atMs: wire.timestamp,
    from: wire.from,
    to: wire.to,
    token: wire.token,
    amount: wire.total.value,
    method: wire.method,
    type: wire.type,
  }))
export const TransfersReply = pageOf(Transfer)
export type ScoutTransfer = z.output<typeof Transfer>

const Transaction = z
  .object({
    hash: hash(),
    /** Not there while it waits for a block. */
    timestamp: maybeTime(),
    from: Party,
    /** Null where a contract is made. */
    to: Party.nullish(),
    value: wireUnits(),
    status: words(),
    method: words(),
    nonce: count(),
  })
  .transform((wire) => ({
    hash: wire.hash,
    atMs: wire.timestamp,
    from: wire.from,
    to: wire.to ?? undefined,
    wei: wire.value,
    isFailed: wire.status === 'error',
    method: wire.method,
    nonce: wire.nonce,
  }))
export const TransactionsReply = pageOf(Transaction)
export type ScoutTransaction = z.output<typeof Transaction>
