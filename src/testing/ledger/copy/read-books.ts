import type { Store } from '../../../ledger/ports/store.ts'

/** What a service reads of a ledger, book by book. */
export async function readBooks(store: Store) {
  const { payments, bot, paper, operator, record } = store
  return {
    rows: await Promise.all(
      ['a', 'b', 'c', 'own', 'open', 'void', 'large 1'].map((key) => payments.find(key)),
    ),
    purchases: await payments.purchasesOf('0xAA', { limit: 10, offset: 0 }),
    totals: await payments.totals({ exceptPayers: [] }),
    overview: await payments.overview(['0xOWN']),
    mark: await store.finality.mark('eip155:8453'),
    hints: await store.hints.load(),
    demo: await store.demo.load(20_000),
    usage: await store.usage.perDay(0),
    leaves: await record.leaves(0, 10),
    heads: await record.heads(0, 10),
    secrets: await record.secrets(),
    anchors: await record.anchors(0, 10),
    orders: await bot.unsettledOrders(),
    order: await bot.findOrder('a'),
    trades: await bot.trades({}, { limit: 10, offset: 0 }),
    redemptions: await bot.redemptions('paper'),
    resolutions: await bot.resolutionsSince(0),
    decisions: await bot.decisions({ limit: 10, offset: 0 }),
    configs: await bot.configs({ limit: 10, offset: 0 }),
    breaker: await bot.breakerRows(10),
    bossSignals: await bot.bossSignals(10),
    payouts: await paper.payouts(),
    cash: await paper.cashFlowE6(),
    holdings: await paper.holdings(),
    paperOrders: await paper.ordersSince(0),
    keys: await operator.keys(),
    audit: await operator.audit({ limit: 10, offset: 0 }),
    tasks: await operator.tasks(),
    signals: await operator.signals(10),
    revoked: await store.signIn.isRevoked({ id: 't', wallet: '0x', issuedMs: 99 }),
    messages: await store.watercooler.newest(10),
    views: await store.pageViews.perDay(0),
    uptime: await store.uptime.load(0),
  }
}
