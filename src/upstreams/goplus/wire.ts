import { z } from 'zod'
import { readRows } from '../wire/list.ts'
import { maybeNumber, wireNumber } from '../wire/number.ts'
import { evmAddress, maybeCount, maybeUsd } from '../wire/on-chain.ts'
import { orUnknown, shownWords } from '../wire/unknown.ts'

const MAX_NAME_CHARS = 200
const MAX_NOTE_CHARS = 500
const MAX_HOLDERS = 100
const MAX_DEXES = 50
const MAX_TOKENS = 100
const MAX_SUPPLY = 1e60
const MAX_CODE = 1e6
const MAX_TAX = 1e4
/** Where tokens were made in secret, holders have many times the supply that the contract admits. */
const MAX_SHARE = 1e6
/** Rounding alone puts nobody above this. */
const MORE_THAN_ALL = 1.001

const FLAGS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ['1', true],
  [1, true],
  [true, true],
  ['0', false],
  [0, false],
  [false, false],
])
/** `"1"` and `"0"`. Everything else, a missing field above all, is unknown and never means safe. */
const flag = () =>
  z
    .unknown()
    .optional()
    .transform((value) => FLAGS.get(value))

/** A flag, or an object that also says which token it imitates. */
const flagOrObject = () =>
  z
    .unknown()
    .optional()
    .transform((value) =>
      FLAGS.get(typeof value === 'object' && value && 'value' in value ? value.value : value),
    )

/** Of the supply: 0.05 is five percent. Empty where it is not known. */
const share = () => orUnknown(maybeNumber({ min: 0, max: MAX_SHARE }))
const upToAll = (part: number | undefined) => (part === undefined ? undefined : Math.min(part, 1))
/** Of a trade. Nobody takes more than all. */
const tax = () => orUnknown(maybeNumber({ min: 0, max: MAX_TAX })).transform(upToAll)
const address = () => orUnknown(evmAddress())
const rowsOf = <Row extends z.ZodType>(row: Row, max: number) =>
  z
    .unknown()
    .optional()
    .transform((rows) => (Array.isArray(rows) ? readRows(rows.slice(0, max), row).rows : undefined))

const Holder = z
  .object({
    address: evmAddress(),
    tag: shownWords(MAX_NAME_CHARS),
    is_contract: flag(),
    is_locked: flag(),
    percent: wireNumber({ min: 0, max: MAX_SHARE }),
  })
  .transform((wire) => ({
    address: wire.address,
    label: wire.tag || undefined,
    isContract: wire.is_contract,
    isLocked: wire.is_locked,
    /** Of the supply, at most 1. */
    share: Math.min(wire.percent, 1),
    hasMoreThanAll: wire.percent > MORE_THAN_ALL,
  }))

const Dex = z
  .object({ name: shownWords(MAX_NAME_CHARS), liquidity: maybeUsd(), pair: shownWords(MAX_NAME_CHARS) })
  .transform(({ name, liquidity, pair }) => ({ name, liquidityUsd: liquidity, pool: pair.toLowerCase() }))

/** An owner that was given up: nobody has the key of these. */
const NOBODY: ReadonlySet<string> = new Set([
  '0x0000000000000000000000000000000000000000',
  '0x000000000000000000000000000000000000dead',
])
const owner = () =>
  z
    .unknown()
    .optional()
    .transform((value): string | 'none' | undefined => {
      if (value === '') return 'none'
      const parsed = evmAddress().safeParse(value)
      if (!parsed.success) return undefined
      return NOBODY.has(parsed.data) ? 'none' : parsed.data
    })

export const Security = z
  .object({
    token_name: shownWords(MAX_NAME_CHARS),
    token_symbol: shownWords(MAX_NAME_CHARS),
    total_supply: orUnknown(maybeNumber({ min: 0, max: MAX_SUPPLY })),
    is_honeypot: flag(),
    buy_tax: tax(),
    sell_tax: tax(),
    transfer_tax: tax(),
    cannot_buy: flag(),
    cannot_sell_all: flag(),
    slippage_modifiable: flag(),
    personal_slippage_modifiable: flag(),
    trading_cooldown: flag(),
    transfer_pausable: flag(),
    is_blacklisted: flag(),
    is_whitelisted: flag(),
    is_anti_whale: flag(),
    anti_whale_modifiable: flag(),
    is_open_source: flag(),
    is_proxy: flag(),
    is_mintable: flag(),
    external_call: flag(),
    selfdestruct: flag(),
    hidden_owner: flag(),
    can_take_back_ownership: flag(),
    owner_change_balance: flag(),
    honeypot_with_same_creator: flag(),
    is_airdrop_scam: flag(),
    is_true_token: flag(),
    fake_token: flagOrObject(),
    gas_abuse: flag(),
    trust_list: flag(),
    is_in_dex: flag(),
    owner_address: owner(),
    owner_percent: share(),
    creator_address: address(),
    creator_percent: share(),
    holder_count: maybeCount(),
    holders: rowsOf(Holder, MAX_HOLDERS),
    lp_holder_count: maybeCount(),
    lp_holders: rowsOf(Holder, MAX_HOLDERS),
    dex: rowsOf(Dex, MAX_DEXES),
    note: shownWords(MAX_NOTE_CHARS),
    other_potential_risks: shownWords(MAX_NOTE_CHARS),
  })
  .transform((wire) => ({
    name: wire.token_name,
    symbol: wire.token_symbol,
    /** In whole tokens. */
    totalSupply: wire.total_supply,
    isHoneypot: wire.is_honeypot,
    buyTax: wire.buy_tax,
    sellTax: wire.sell_tax,
    transferTax: wire.transfer_tax,
    cannotBuy: wire.cannot_buy,
    cannotSellAll: wire.cannot_sell_all,
    canChangeTax: wire.slippage_modifiable,
    canChangeTaxOfOne: wire.personal_slippage_modifiable,
    hasTradingCooldown: wire.trading_cooldown,
    canPauseTransfers: wire.transfer_pausable,
    canBlacklist: wire.is_blacklisted,
    hasWhitelist: wire.is_whitelisted,
    limitsTradeSize: wire.is_anti_whale,
    canChangeTradeLimit: wire.anti_whale_modifiable,
    isOpenSource: wire.is_open_source,
    isProxy: wire.is_proxy,
    canMint: wire.is_mintable,
    callsOthers: wire.external_call,
    canSelfDestruct: wire.selfdestruct,
    hasHiddenOwner: wire.hidden_owner,
    canTakeBackOwnership: wire.can_take_back_ownership,
    canChangeBalances: wire.owner_change_balance,
    creatorMadeHoneypots: wire.honeypot_with_same_creator,
    isAirdropScam: wire.is_airdrop_scam,
    /** False: it imitates another token. */
    isTrueToken: wire.fake_token === true ? false : wire.is_true_token,
    /** Who transfers it pays for what others do. */
    abusesGas: wire.gas_abuse,
    isTrusted: wire.trust_list,
    isInDex: wire.is_in_dex,
    /** `none`: there is none, or it was given up. */
    owner: wire.owner_address,
    ownerShare: upToAll(wire.owner_percent),
    creator: wire.creator_address,
    creatorShare: upToAll(wire.creator_percent),
    /** Somebody has more than the supply that the contract admits: tokens were made in secret. */
    isOverheld:
      [wire.owner_percent, wire.creator_percent].some((part) => (part ?? 0) > MORE_THAN_ALL) ||
      (wire.holders ?? []).some(({ hasMoreThanAll }) => hasMoreThanAll),
    holderCount: wire.holder_count,
    /** The largest ten; undefined where they are not known. */
    holders: wire.holders,
    lpHolderCount: wire.lp_holder_count,
    /** Who may take the liquidity out; undefined where they are not known. */
    lpHolders: wire.lp_holders,
    pools: wire.dex ?? [],
    note: [wire.note, wire.other_potential_risks].filter((text) => text !== '').join(' '),
  }))
export type TokenSecurity = z.output<typeof Security>

/**
 * `/token_security/{chain}`. The code is 1 for a whole answer and 2 for one of which parts are still being looked up;
 * errors come with 200, too. Tokens are by their address in lower case.
 */
export const SecurityReply = z
  .object({
    code: wireNumber({ min: 0, max: MAX_CODE }),
    message: shownWords(MAX_NAME_CHARS),
    result: z.record(z.string(), z.unknown()).nullish(),
  })
  .transform(({ code, message, result }, { issues }) => {
    const tokens = new Map<string, TokenSecurity>()
    for (const [key, value] of Object.entries(result ?? {}).slice(0, MAX_TOKENS)) {
      const [at, token] = [evmAddress().safeParse(key), Security.safeParse(value)]
      if (!at.success) continue
      if (token.success) tokens.set(at.data, token.data)
      else issues.push({ code: 'custom', input: undefined, path: [key], message: 'expected an object' })
    }
    return { code, message, tokens }
  })
