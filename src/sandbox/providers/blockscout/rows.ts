import { getAddress, keccak256 } from 'viem'
import { ROUTER } from '../../tokens/known-addresses.ts'
import type { SimHolder, SimToken, SimTransfer, SimWallet, TokenWorld } from '../../tokens/token-world.ts'

// The world in the words of the explorer: numbers as text, addresses with the check in their case.

export type View = {
  tokens: TokenWorld
  /** Those of the world, and those that are on the local chain only. */
  people: Pick<TokenWorld, 'wallet' | 'transfersOf'>
  nowMs: number
}
type Named = { address: string; label?: string | undefined }

const BLOCK_MS = 2_000
const GENESIS_MS = Date.UTC(2023, 5, 15)
const GAS_WEI = '210000000000'

export function tokenRow({ tokens, nowMs }: View, token: SimToken) {
  const priceUsd = tokens.priceUsd(token.address, nowMs)
  const volumes = token.pools.map(({ id }) => tokens.pool(id, nowMs)?.volumeUsd.h24 ?? 0)
  const whole = Number(token.totalSupply) / 10 ** token.decimals
  return {
    address_hash: getAddress(token.address),
    circulating_market_cap: priceUsd === undefined ? null : String(whole * priceUsd),
    decimals: String(token.decimals),
    exchange_rate: priceUsd === undefined ? null : String(priceUsd),
    holders_count: String(tokens.holderCount(token.address, nowMs)),
    icon_url: null,
    name: token.name,
    reputation: 'ok',
    symbol: token.symbol,
    total_supply: String(token.totalSupply),
    type: 'ERC-20',
    volume_24h: String(volumes.reduce((sum, volume) => sum + volume, 0)),
  }
}

function partyRow({ tokens }: View, { address, label }: Named) {
  const token = tokens.token(address)
  const contract = tokens.contract(address)
  const named = label ?? tokens.wallet(address)?.label
  const tag = named && {
    slug: named.toLowerCase().replace(/\W+/g, '-'),
    name: named,
    tagType: 'name',
    meta: {},
  }
  return {
    hash: getAddress(address),
    ens_domain_name: null,
    implementations: [],
    is_contract: token !== undefined || contract !== undefined,
    is_scam: false,
    is_verified: token?.traits.isOpenSource ?? contract?.name !== undefined,
    metadata: tag ? { tags: [tag] } : null,
    name: contract?.name ?? null,
    private_tags: [],
    proxy_type: token?.traits.isProxy ? 'eip1967' : null,
    public_tags: [],
    reputation: 'ok',
    watchlist_names: [],
  }
}

export const holderRow = (view: View, holder: SimHolder) => ({
  address: partyRow(view, holder),
  token_id: null,
  value: String(holder.amount),
})

export const holdingRow = (view: View, token: SimToken, amount: bigint) => ({
  token: tokenRow(view, token),
  token_id: null,
  token_instance: null,
  value: String(amount),
})

export const transferRow = (view: View, transfer: SimTransfer, token: SimToken, index: number) => ({
  block_hash: transfer.hash,
  block_number: blockAt(transfer.atMs),
  from: partyRow(view, { address: transfer.from }),
  log_index: index,
  // Who never sent a transaction has signed, and somebody else has carried it out.
  method: view.people.wallet(transfer.from)?.transactions === 0 ? 'transferWithAuthorization' : 'transfer',
  timestamp: toTimestamp(transfer.atMs),
  to: partyRow(view, { address: transfer.to }),
  token: tokenRow(view, token),
  token_type: 'ERC-20',
  total: { decimals: String(token.decimals), value: String(transfer.amount) },
  transaction_hash: transfer.hash,
  type: 'token_transfer',
})

export const transactionRow = (view: View, transfer: SimTransfer, nonce: number) => ({
  hash: transfer.hash,
  block_number: blockAt(transfer.atMs),
  timestamp: toTimestamp(transfer.atMs),
  from: partyRow(view, { address: transfer.from }),
  to: partyRow(view, { address: transfer.token }),
  value: '0',
  status: 'ok',
  result: 'success',
  method: 'transfer',
  nonce,
  fee: { type: 'actual', value: GAS_WEI },
  transaction_types: ['contract_call', 'token_transfer'],
})

/** A call of the router of which nothing but its sender is known. */
export const callRow = (view: View, { address, firstSeenMs }: SimWallet, nonce: number, atMs: number) => ({
  ...transactionRow(
    view,
    {
      ...{
        hash: keccak256(`${address}${nonce.toString(16).padStart(8, '0')}`),
        atMs: Math.max(firstSeenMs, atMs),
      },
      ...{ from: address, to: ROUTER, token: ROUTER, amount: 0n },
    },
    nonce,
  ),
  method: 'execute',
  transaction_types: ['contract_call'],
})

export const addressRow = (
  view: View,
  address: string,
  wallet: SimWallet | undefined,
  token: SimToken | undefined,
) => ({
  ...partyRow(view, { address }),
  block_number_balance_updated_at: blockAt(view.nowMs),
  coin_balance: String(wallet?.ether ?? 0n),
  creation_status: token ? 'success' : null,
  creation_transaction_hash: null,
  creator_address_hash: token ? getAddress(token.creator) : null,
  exchange_rate: null,
  has_logs: token !== undefined,
  has_token_transfers: true,
  has_tokens: (wallet?.holdings.length ?? 0) > 0,
  has_validated_blocks: false,
  token: token ? tokenRow(view, token) : null,
})

export const blockAt = (atMs: number) => Math.floor((atMs - GENESIS_MS) / BLOCK_MS)
/** With microseconds, as the explorer writes it. */
const toTimestamp = (atMs: number) => new Date(atMs).toISOString().replace('Z', '000Z')
