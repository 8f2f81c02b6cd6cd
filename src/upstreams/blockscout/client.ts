import type { z } from 'zod'
import { walletPart } from '../rules/path-parts.ts'
import { type Upstream, UpstreamError, type UpstreamRequest } from '../upstream.ts'
import {
  AddressReply,
  CountersReply,
  HoldersReply,
  HoldingsReply,
  type Page,
  type ScoutAddress,
  type ScoutCounters,
  type ScoutHolder,
  type ScoutHolding,
  type ScoutToken,
  type ScoutTransaction,
  type ScoutTransfer,
  TokenReply,
  TransactionsReply,
  TransfersReply,
} from './wire.ts'

/** Fifty rows with the token in each. */
const MAX_PAGE_BYTES = 1024 * 1024
const TIMEOUT_MS = 6_000
const ERC20 = { type: 'ERC-20' } as const
const SENT = { filter: 'from' } as const

/** The explorer of Base. Everything is undefined where it does not know the address. */
export type Blockscout = {
  token(address: string): Promise<ScoutToken | undefined>
  /** The largest first. */
  holders(token: string): Promise<Page<ScoutHolder> | undefined>
  address(address: string): Promise<ScoutAddress | undefined>
  counters(address: string): Promise<ScoutCounters | undefined>
  holdings(address: string): Promise<Page<ScoutHolding> | undefined>
  /** Newest first. */
  tokenTransfers(address: string): Promise<Page<ScoutTransfer> | undefined>
  /** That it sent, newest first: what others send cannot push these off the page. */
  transactions(address: string): Promise<Page<ScoutTransaction> | undefined>
}

export function createBlockscout({ ask }: Pick<Upstream, 'ask'>): Blockscout {
  const find = async <Wire extends z.ZodType>(
    path: string,
    schema: Wire,
    query?: UpstreamRequest<Wire>['query'],
  ) => {
    try {
      const bounds = { maxBytes: MAX_PAGE_BYTES, timeoutMs: TIMEOUT_MS }
      return await ask({ path: `/api/v2${path}`, schema, ...bounds, ...(query && { query }) })
    } catch (error) {
      if (error instanceof UpstreamError && error.fault === 'not_found') return undefined
      throw error
    }
  }
  const own = <Found extends { address: string }>(found: Found | undefined, address: string) => {
    if (found && found.address !== address)
      throw new UpstreamError('malformed', 'a reply about another address')
    return found
  }
  return {
    async token(address) {
      const part = walletPart(address)
      return own(await find(`/tokens/${part}`, TokenReply), part)
    },
    holders: async (token) => find(`/tokens/${walletPart(token)}/holders`, HoldersReply),
    async address(address) {
      const part = walletPart(address)
      return own(await find(`/addresses/${part}`, AddressReply), part)
    },
    counters: async (address) => find(`/addresses/${walletPart(address)}/counters`, CountersReply),
    holdings: async (address) => find(`/addresses/${walletPart(address)}/tokens`, HoldingsReply, ERC20),
    tokenTransfers: async (address) =>
      find(`/addresses/${walletPart(address)}/token-transfers`, TransfersReply, ERC20),
    transactions: async (address) =>
      find(`/addresses/${walletPart(address)}/transactions`, TransactionsReply, SENT),
  }
}
