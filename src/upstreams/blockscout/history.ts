import { toEventSelector } from 'viem'
import { orNotFound } from '../rules/or-not-found.ts'
import { walletPart } from '../rules/path-parts.ts'
import type { Upstream } from '../upstream.ts'
import {
  ApprovalsReply,
  FirstTransactionReply,
  HoldingsPage,
  MAX_LOGS,
  type ScoutApproval,
} from './history-wire.ts'

const MAX_BYTES = 2 * 1024 * 1024
const TIMEOUT_MS = 6_000
const BOUNDS = { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS }
const APPROVAL = toEventSelector('Approval(address,address,uint256)')

/** What the explorer knows of a wallet from the first block on. A node tells of the last blocks only. */
export type ScoutHistory = {
  /** The most valuable first, as far as the explorer knows prices; `next` of one page asks for the one behind it. */
  holdingsPage(wallet: string, next?: HoldingsPage['next']): Promise<HoldingsPage | undefined>
  /** Oldest first. Where there are more than it tells, the newest are missing. */
  approvals(wallet: string): Promise<{ rows: readonly ScoutApproval[]; isComplete: boolean }>
  /** When it first sent or got ether; undefined where it never did. */
  firstTransactionMs(wallet: string): Promise<number | undefined>
}

export function createScoutHistory({ ask }: Pick<Upstream, 'ask'>): ScoutHistory {
  return {
    async holdingsPage(wallet, next) {
      const path = `/api/v2/addresses/${walletPart(wallet)}/tokens`
      return orNotFound(ask({ path, query: { type: 'ERC-20', ...next }, schema: HoldingsPage, ...BOUNDS }))
    },
    async approvals(wallet) {
      const owner = walletPart(wallet)
      const query = {
        module: 'logs',
        action: 'getLogs',
        fromBlock: 0,
        toBlock: 'latest',
        topic0: APPROVAL,
        topic1: `0x${owner.slice(2).padStart(64, '0')}`,
        topic0_1_opr: 'and',
      }
      const found = await ask({ path: '/api', query, schema: ApprovalsReply, ...BOUNDS })
      // An explorer that ignores the filter must not make others' approvals this wallet's.
      const rows = found.rows.filter((row) => row.owner === owner)
      return { rows, isComplete: found.count < MAX_LOGS }
    },
    async firstTransactionMs(wallet) {
      const page = { sort: 'asc', page: 1, offset: 1 }
      const query = { module: 'account', action: 'txlist', address: walletPart(wallet), ...page }
      const { rows } = await ask({ path: '/api', query, schema: FirstTransactionReply, ...BOUNDS })
      return rows[0]?.atMs
    },
  }
}
