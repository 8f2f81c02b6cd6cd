import type { z } from 'zod'
import {
  AddressReply,
  CountersReply,
  HoldersReply,
  HoldingsReply,
  TokenReply,
  TransactionsReply,
  TransfersReply,
} from '../../upstreams/blockscout/wire.ts'
import { parseWire } from '../../upstreams/wire/reply.ts'
import type { Parser } from './mutation-search.ts'

const reply =
  (schema: z.ZodType): Parser =>
  (json) =>
    parseWire(schema, json, 'reply')
/** The documented samples: one of them by its name. */
const sample =
  (name: string, schema: z.ZodType): Parser =>
  (json) =>
    parseWire(schema, (json as Record<string, unknown> | null)?.[name], name)

export const PARSERS: Readonly<Record<string, Parser>> = {
  'from-docs/blockscout/address.json': sample('token', AddressReply),
  'from-docs/blockscout/address_counters.json': sample('forAddress', CountersReply),
  'from-docs/blockscout/address_tokens.json': sample('erc20List', HoldingsReply),
  'from-docs/blockscout/token_holders.json': sample('tokenHoldersERC20', HoldersReply),
  'from-docs/blockscout/token_info.json': sample('tokenInfo', TokenReply),
}

export const UNREAD: Readonly<Record<string, string>> = {
  'from-docs/blockscout/stats_home.json': 'Figures of the whole chain, which no product shows.',
}

const party = (hash: string) => ({ hash, is_contract: false, is_scam: false, name: null, public_tags: [] })
const [A, B, C] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string]
const HASH = `0x${'12'.repeat(32)}`
const token = {
  address_hash: C,
  decimals: '18',
  exchange_rate: '1.25',
  holders_count: '42',
  name: 'Made Up',
  symbol: 'MADE',
  total_supply: '5000000000000000000000',
  type: 'ERC-20',
}

/** Replies that no sample was found for, and what reads them. */
export const OWN: readonly (readonly [string, unknown, Parser])[] = [
  ['a token', token, reply(TokenReply)],
  [
    'holders',
    {
      items: [
        { address: party(A), value: '70' },
        { address: party(B), value: '30' },
      ],
      next_page_params: null,
    },
    reply(HoldersReply),
  ],
  [
    'token transfers',
    {
      items: [A, B, A].map((from, i) => ({
        transaction_hash: HASH,
        timestamp: '2026-05-06T12:00:00.000000Z',
        from: party(from),
        to: party(from === A ? B : A),
        token,
        total: { decimals: '18', value: `${i + 1}000000000000000000` },
        method: 'transfer',
        type: 'token_transfer',
      })),
      next_page_params: { index: 3 },
    },
    reply(TransfersReply),
  ],
  [
    'transactions',
    {
      items: [party(C), null, party(B)].map((to, i) => ({
        hash: HASH,
        timestamp: i === 2 ? null : '2026-05-06T12:00:00.000000Z',
        from: party(A),
        to,
        value: '0',
        status: i === 1 ? 'error' : 'ok',
        method: 'approve',
        nonce: 7 - i,
      })),
      next_page_params: null,
    },
    reply(TransactionsReply),
  ],
]
