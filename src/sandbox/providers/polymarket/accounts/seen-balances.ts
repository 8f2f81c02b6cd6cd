import type { Address } from 'viem'
import { POLYMARKET_CONTRACTS } from '../../../../upstreams/polymarket/relayer/addresses.ts'
import { DEPOSIT_WALLET_TYPE } from '../../../../upstreams/polymarket/trading/exchange-order.ts'
import { Refusal } from '../../../prediction/accounts/refusal.ts'
import type { ApiKey } from '../../../prediction/accounts/rows.ts'
import type { Custody } from '../../../prediction/custody.ts'

type BalanceReply = { balance: string; allowances: Record<string, string> }

/** What a wallet has, as the order book's server last saw it: of outcome tokens only when it was asked to look. */
export type SeenBalances = {
  read(key: ApiKey, query: URLSearchParams): Promise<BalanceReply>
  update(key: ApiKey, query: URLSearchParams): Promise<void>
}

const UINT256_MAX = 2n ** 256n - 1n
/** Older ones read as nothing again. */
const MAX_SEEN = 10_000

export function createSeenBalances(custody: Custody): SeenBalances {
  const seen = new Map<string, bigint>()
  const look = async (wallet: Address, tokenId: string) => {
    const [held = 0n] = await custody.sharesOf(wallet, [BigInt(tokenId)])
    seen.set(`${wallet} ${tokenId}`, held)
    const [oldest] = seen.keys()
    if (seen.size > MAX_SEEN && oldest !== undefined) seen.delete(oldest)
  }
  return {
    async read(key, query) {
      const { wallet, tokenId } = readQuery(custody, key, query)
      if (tokenId === undefined) return readCollateral(custody, wallet)
      const allowance = (await custody.mayMoveShares(wallet)) ? UINT256_MAX : 0n
      return {
        balance: (seen.get(`${wallet} ${tokenId}`) ?? 0n).toString(),
        allowances: { [POLYMARKET_CONTRACTS.exchange]: allowance.toString() },
      }
    },
    async update(key, query) {
      const { wallet, tokenId } = readQuery(custody, key, query)
      if (tokenId !== undefined) await look(wallet, tokenId)
    },
  }
}

/** Without a token: collateral. */
function readQuery(custody: Custody, key: ApiKey, query: URLSearchParams) {
  const type = query.get('signature_type') ?? '0'
  if (!/^[0-3]$/.test(type)) throw new Refusal(400, 'invalid signature_type')
  const owner = key.address as Address
  const wallet = Number(type) === DEPOSIT_WALLET_TYPE ? custody.walletOf(owner) : owner
  if (query.get('asset_type') === 'COLLATERAL') return { wallet, tokenId: undefined }
  const tokenId = query.get('token_id') ?? ''
  const isToken = /^\d{1,78}$/.test(tokenId) && BigInt(tokenId) <= UINT256_MAX
  if (query.get('asset_type') !== 'CONDITIONAL' || !isToken) throw new Refusal(400, 'assetId invalid')
  return { wallet, tokenId }
}

async function readCollateral(custody: Custody, wallet: Address): Promise<BalanceReply> {
  const [balance, allowances] = await Promise.all([
    custody.collateralOf(wallet),
    custody.allowancesOf(wallet),
  ])
  const texts = Object.entries(allowances).map(([spender, amount]) => [spender, amount.toString()])
  return { balance: balance.toString(), allowances: Object.fromEntries(texts) }
}
