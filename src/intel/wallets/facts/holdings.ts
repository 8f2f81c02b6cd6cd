import type { ScoutHolding } from '../../../upstreams/blockscout/wire.ts'
import type { WalletPorts } from './wallet-ports.ts'

export type HeldToken = {
  token: string
  name: string
  symbol: string
  decimals: number | undefined
  units: bigint
  /** What the explorer thinks it is worth; believed only for tokens whose issuers everybody knows. */
  explorerPriceUsd: number | undefined
  holders: number | undefined
  /** `ok`, or what the explorer holds against it. */
  reputation: string
}
export type HeldTokens = { rows: readonly HeldToken[]; isComplete: boolean }

export const MAX_HOLDINGS = 200
const MAX_PAGES = 4
/** Pages behind the first are left out when the first ones took so long. */
const PAGING_MS = 1_500

type Ports = Pick<WalletPorts, 'history'> & { nowMs: () => number }

/** The first page has the most valuable ones: what fails behind it is left out. */
export async function readHoldings({ history, nowMs }: Ports, wallet: string): Promise<HeldTokens> {
  const startMs = nowMs()
  const first = await history.holdingsPage(wallet)
  const rows = [...(first?.rows ?? [])]
  let isComplete = first === undefined || first.skipped.count === 0
  let [page, hasMore] = [first, first?.hasMore ?? false]
  for (let pages = 1; hasMore; pages++) {
    if (pages === MAX_PAGES || !page?.next || nowMs() - startMs > PAGING_MS) break
    page = await history.holdingsPage(wallet, page.next).catch(() => undefined)
    if (!page || page.rows.length === 0) break
    rows.push(...page.rows)
    if (page.skipped.count > 0) isComplete = false
    hasMore = page.hasMore
  }
  const held = onceEach(rows.filter(isHeld))
  return {
    rows: held.slice(0, MAX_HOLDINGS),
    isComplete: isComplete && !hasMore && held.length <= MAX_HOLDINGS,
  }
}

/** Other standards have no amounts. */
const isHeld = ({ token, amount }: ScoutHolding): boolean =>
  amount > 0n && (token.type === '' || token.type === 'ERC-20')

/** Pages shift while they are read: a row that moved stands on two of them. */
function onceEach(rows: readonly ScoutHolding[]): HeldToken[] {
  const byToken = new Map<string, HeldToken>()
  for (const { token, amount } of rows) {
    if (byToken.has(token.address)) continue
    byToken.set(token.address, {
      token: token.address,
      name: token.name,
      symbol: token.symbol,
      decimals: token.decimals,
      units: amount,
      explorerPriceUsd: token.priceUsd,
      holders: token.holders,
      reputation: token.reputation,
    })
  }
  return [...byToken.values()]
}
