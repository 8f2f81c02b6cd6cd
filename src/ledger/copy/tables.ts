/** A table that both ledgers have. Columns of one name are copied as they are, in the form of the target's type. */
export type CopiedTable = {
  table: string
  /** Columns of the target that are read from something else: an expression of SQLite. */
  from?: Readonly<Record<string, string>>
  /** Columns of the source that have no counterpart, because they follow from others or only serve SQLite. */
  left?: readonly string[]
  /** Columns with words for people, which may come from outside: a character that the target cannot hold is replaced. */
  words?: readonly string[]
  /** Has a row in a new ledger, which makes room for the copied one. */
  isSeeded?: boolean
}

/** The two halves of a sum, see `HALF` of the sales tables. */
const SUM = { from: { revenue: "high || ' ' || low" }, left: ['high', 'low'] } as const

/** In an order in which every row finds what it refers to. */
export const COPIED_TABLES: readonly CopiedTable[] = [
  { table: 'demo_calls' },
  { table: 'payments', left: ['atomic'] },
  { table: 'replies' },
  { table: 'sales_kinds', ...SUM },
  { table: 'sales_days', ...SUM },
  { table: 'sales_payers', ...SUM },
  { table: 'sales_payer_days', ...SUM },
  { table: 'finality_marks' },
  { table: 'undone_payments' },
  { table: 'settle_hints' },
  { table: 'usage' },
  { table: 'record_leaves' },
  { table: 'record_heads' },
  { table: 'record_secrets' },
  { table: 'record_anchors' },
  { table: 'sign_in_nonces', left: ['seq'] },
  { table: 'revoked_tokens' },
  { table: 'revoked_wallets' },
  { table: 'bot_orders', words: ['note'] },
  { table: 'bot_fills' },
  { table: 'bot_resolutions' },
  { table: 'bot_trades' },
  { table: 'bot_redemptions' },
  { table: 'bot_decisions', words: ['reason', 'facts'] },
  { table: 'bot_configs' },
  { table: 'bot_breaker', words: ['reason'] },
  { table: 'bot_boss_signals', words: ['reason'] },
  { table: 'paper_orders' },
  { table: 'paper_fills' },
  { table: 'paper_payouts' },
  { table: 'paper_cash', isSeeded: true },
  { table: 'paper_holdings' },
  { table: 'operator_keys', words: ['label'] },
  { table: 'operator_audit', left: ['of_key'], words: ['client', 'params'] },
  { table: 'operator_tasks', words: ['title', 'detail', 'assignee'] },
  { table: 'operator_signals', words: ['indicators', 'source'] },
  { table: 'community_messages' },
  { table: 'community_page_views', words: ['page'] },
  { table: 'uptime_days' },
  { table: 'uptime_incidents', words: ['cause'] },
  { table: 'uptime_life', from: { id: 'only' }, left: ['only'] },
]

/** Written anew for the target, or about the file alone. */
export const OWN_TABLES: readonly string[] = ['ledger_identity', 'ledger_moved']
