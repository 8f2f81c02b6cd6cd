import { COLLECT, type Mutant, mutant, RECONCILE, SELL } from './mutant.ts'

/** The ten that everybody makes, under numbers of their own: every test run plants those. */
export const CLASSIC_MUTANTS: readonly Mutant[] = [
  mutant('M1 the reply is not stored before settling', [
    SELL,
    `  const isPrepared = await releaseOnFailure(ports, claim, () =>
    ports.book.prepare(payment.key, claim.id, reply),
  )`,
    `  await ports.collect(payment, { ...claim, ...PREPARED, reply }, { isOwn: true })
  const isPrepared = await ports.book.prepare(payment.key, claim.id, reply)`,
  ]),
  mutant('M2 an unknown outcome is answered 402', [
    COLLECT,
    'if (clock.now() >= untilMs) {',
    "if (clock.now() >= untilMs) {\n      if (startedMs > 0) return { state: 'void' } as PaymentRow",
  ]),
  mutant('M3 a payment is not bound to its request', [
    SELL,
    'if (claimed.row.fingerprint !== claim.fingerprint) throw alreadyUsed()',
    '',
  ]),
  mutant('M4 void before the authorization has died', [
    COLLECT,
    'if (clock.now() >= untilMs) {',
    'if (clock.now() >= untilMs) {\n      await ports.book.void(payment.key)',
  ]),
  mutant('M5 no recovery after a restart', [
    RECONCILE,
    'const due = await book.takeDue({ nowMs, limit: ASKS_PER_ROUND, pauses: ASK_AGAIN })',
    'const due = (await book.takeDue({ nowMs, limit: ASKS_PER_ROUND, pauses: ASK_AGAIN })).filter(() => false)',
  ]),
  mutant(
    'M6 look first, then insert',
    [
      'testing/ledger/memory-payment-book.ts',
      `    claim: (claim) =>
      commit(() => {`,
      `    claim: (claim) => {
      const before = rows.get(claim.key)
      return before ? Promise.resolve({ fresh: false as const, row: toRow(before) }) : commit(() => {
        rows.delete(claim.key)`,
    ],
    [
      'testing/ledger/memory-payment-book.ts',
      'return claimed.fresh ? claimed : { fresh: false, row: toRow(claimed.row) }\n      }),',
      'return claimed.fresh ? claimed : { fresh: false as const, row: toRow(claimed.row) }\n      })\n    },',
    ],
  ),
  mutant('M7 believing that settling failed', [
    COLLECT,
    "if (answer.kind === 'refused' && outcome) throw pending()",
    "if (answer.kind === 'refused') { await ports.book.void(payment.key); return (await ports.book.find(payment.key)) as PaymentRow }",
  ]),
  mutant('M8 a node that does not answer is read as unused', [
    RECONCILE,
    "ports.log[isYoung ? 'debug' : 'warn'](facts, 'the chain could not be asked about a payment')",
    'if ((payment.validBeforeMs ?? 0) < ports.clock.now()) await ports.book.void(row.key)',
  ]),
  mutant('M9 asking again makes a new reply', [
    SELL,
    '      return replayOnce(claimed.row, offer)',
    `      if (claimed.row.state !== 'settled') return replayOnce(claimed.row, offer)
      const fresh = await offer.work()
      return { kind: 'sold', isReplay: true, row: claimed.row, reply: { ...fresh, receipt: undefined } }`,
  ]),
  mutant('M10 believing that settling succeeded', [
    COLLECT,
    'const outcome = await chain.outcome(payment, hint, prepared.claimedAtMs).catch(',
    "const outcome = answer.kind === 'accepted' ? ({ kind: 'paid', transaction: hint ?? '' } as const) : await chain.outcome(payment, hint, prepared.claimedAtMs).catch(",
  ]),
]
