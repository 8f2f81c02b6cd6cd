import { formatUnits } from 'viem'
import { CBBTC, USDC, WETH } from '../../tokens/known-addresses.ts'
import type { SimHolder, SimPool, SimToken } from '../../tokens/token-world.ts'
import { roundedText } from '../decimal-text.ts'
import type { TokenMarket } from '../token-market.ts'

const HOLDERS_SHOWN = 10
const NOBODY = '0x0000000000000000000000000000000000000000'
const BURNT = '0x000000000000000000000000000000000000dead'
const NONE = { amount: 0n, share: 0 }
const LIQUIDITY_SUPPLY = 1_000_000
/** Tokens that everybody knows: what their owners may do is no sign of bad intent. */
const TRUSTED: ReadonlySet<string> = new Set([USDC, WETH, CBBTC])

const DEXES: Readonly<Record<SimPool['dex'], { liquidity_type: string; name: string }>> = {
  'uniswap-v3-base': { liquidity_type: 'UniV3', name: 'UniswapV3' },
  'uniswap-v4-base': { liquidity_type: 'UniV4', name: 'UniswapV4' },
  'aerodrome-slipstream': { liquidity_type: 'UniV3', name: 'AerodromeSlipstream' },
}

/** What GoPlus says of a token. Of a contract without source it cannot tell what its owner may do, and leaves that out. */
export function toSecurity(token: SimToken, market: TokenMarket) {
  const { traits } = token
  const holders = market.world.holders(token.address, market.nowMs())
  const partOf = (address: string | undefined) => holders.find((holder) => holder.address === address) ?? NONE
  const [owner, creator] = [partOf(token.owner), partOf(token.creator)]
  const amountText = (amount: bigint) => formatUnits(amount, token.decimals)
  const pools = market.poolsOf(token).filter(({ base }) => base.address === token.address)
  const lpHolders = lpHoldersOf(token, market.lockedShare(token))
  return {
    ...(traits.isOpenSource && powersOf(token)),
    // Nothing comes back from a sale that fails, so its tax is not known.
    buy_tax: shareText(traits.buyTax),
    sell_tax: traits.isHoneypot ? '' : shareText(traits.sellTax),
    transfer_tax: traits.isHoneypot ? '' : '0',
    cannot_buy: '0',
    cannot_sell_all: flag(traits.isHoneypot),
    is_honeypot: flag(traits.isHoneypot),
    honeypot_with_same_creator: '0',
    is_open_source: flag(traits.isOpenSource),
    is_in_dex: flag(pools.length > 0),
    dex: pools.map(({ pool, state }) => ({
      ...DEXES[pool.dex],
      liquidity: roundedText(state.liquidityUsd, 8),
      pair: pool.id,
    })),
    owner_address: token.owner ?? NOBODY,
    owner_balance: amountText(owner.amount),
    owner_percent: owner.share.toFixed(6),
    creator_address: token.creator,
    creator_balance: amountText(creator.amount),
    creator_percent: creator.share.toFixed(6),
    holder_count: String(market.world.holderCount(token.address, market.nowMs())),
    holders: holders.slice(0, HOLDERS_SHOWN).map((holder) => toHolder(holder, amountText(holder.amount))),
    lp_holder_count: String(lpHolders.length),
    lp_total_supply: String(LIQUIDITY_SUPPLY),
    lp_holders: lpHolders.map((holder) => toHolder(holder, roundedText(holder.share * LIQUIDITY_SUPPLY, 6))),
    token_name: token.name,
    token_symbol: token.symbol,
    total_supply: amountText(token.totalSupply),
    ...(TRUSTED.has(token.address) && { trust_list: '1' }),
  }
}

/** What the code lets its owner do. */
function powersOf({ traits }: SimToken) {
  return {
    anti_whale_modifiable: '0',
    can_take_back_ownership: flag(traits.canTakeBackOwnership),
    external_call: '0',
    hidden_owner: flag(traits.hasHiddenOwner),
    is_anti_whale: '0',
    is_blacklisted: flag(traits.canBlacklist),
    is_mintable: flag(traits.canMint),
    is_proxy: flag(traits.isProxy),
    is_whitelisted: '0',
    owner_change_balance: '0',
    personal_slippage_modifiable: '0',
    selfdestruct: '0',
    slippage_modifiable: flag(traits.buyTax > 0 || traits.sellTax > 0),
    trading_cooldown: '0',
    transfer_pausable: flag(traits.canPauseTransfers),
  }
}

type Holder = Omit<SimHolder, 'amount'>

/** What is locked was burnt; the rest is its creator's, to take out at any time. */
function lpHoldersOf(token: SimToken, locked: number): readonly Holder[] {
  const burnt = { address: BURNT, share: locked, isContract: false, isLocked: true } as const
  const own = { address: token.creator, share: 1 - locked, isContract: false, isLocked: false }
  return [burnt, own].filter(({ share }) => share > 0).sort((a, b) => b.share - a.share)
}

const toHolder = ({ address, share, isContract, isLocked, label = '' }: Holder, balance: string) => ({
  address,
  tag: label,
  is_contract: isContract ? 1 : 0,
  balance,
  percent: share.toFixed(18),
  is_locked: isLocked ? 1 : 0,
})

const flag = (isTrue: boolean) => (isTrue ? '1' : '0')
const shareText = (share: number) => roundedText(share, 6)
