import type { Patch } from './gate-code.ts'

/** A bug that somebody could make. The simulation must notice every one of them: a survivor is a hole in it. */
export type Mutant = {
  name: string
  patches: readonly Patch[]
}

const SELL = 'payments/gate/sell.ts'
const COLLECT = 'payments/gate/collect.ts'
const RECONCILE = 'payments/gate/reconcile.ts'
const POOL = 'payments/facilitators/facilitators.ts'
const ROWS = 'testing/ledger/memory-payment-rows.ts'
const HELD = 'ledger/held-claims.ts'

type Change = readonly [file: string, from: string, to: string]
const mutant = (name: string, ...changes: readonly Change[]): Mutant => ({
  name,
  patches: changes.map(([file, from, to]) => ({ file, from, to })),
})

/** The ten classic ones come first, under numbers of their own: every test run plants those. */
export const MUTANTS: readonly Mutant[] = [
  mutant('M1 the reply is not stored before settling', [
    SELL,
    `    const isPrepared = await releaseOnFailure(ports, payment, () => book.prepare(payment.key, bootId, reply))
    if (!isPrepared) throw inProgress()
    return toSale(await ports.collect(payment, { ...claim, ...PREPARED, reply }), false)`,
    `    const row = await ports.collect(payment, { ...claim, ...PREPARED, reply })
    await book.prepare(payment.key, bootId, reply)
    return toSale(row, false)`,
  ]),
  mutant('M2 an unknown outcome is answered 402', [
    COLLECT,
    'if (clock.now() >= untilMs) throw pending()',
    "if (clock.now() >= untilMs) return { state: 'void' } as PaymentRow",
  ]),
  mutant('M3 a payment is not bound to its request', [
    SELL,
    'if (claimed.row.fingerprint !== claim.fingerprint) throw alreadyUsed()',
    '',
  ]),
  mutant('M4 void before the authorization has died', [
    COLLECT,
    'if (clock.now() >= untilMs) throw pending()',
    'if (clock.now() >= untilMs) { await ports.book.void(payment.key); throw pending() }',
  ]),
  mutant('M5 no recovery after a restart', [
    RECONCILE,
    "filter(({ state }) => state === 'settling')",
    "filter(({ state, bootId }) => state === 'settling' && bootId === ports.bootId)",
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
    "ports.log.warn({ err, payer: shorten(row.payer) }, 'the chain could not be asked')",
    'if ((payment.validBeforeMs ?? 0) < ports.clock.now()) await ports.book.void(row.key)',
  ]),
  mutant('M9 asking again makes a new reply', [
    SELL,
    '      return replay(ports, claimed.row)',
    `      if (claimed.row.state !== 'settled') return replay(ports, claimed.row)
      const fresh = await offer.work()
      return { kind: 'sold', isReplay: true, row: claimed.row, reply: { ...fresh, receipt: undefined } }`,
  ]),
  mutant('M10 believing that settling succeeded', [
    COLLECT,
    'const outcome = await chain.outcome(payment, hint).catch(',
    "const outcome = answer.kind === 'accepted' ? ({ kind: 'paid', transaction: hint ?? '' } as const) : await chain.outcome(payment, hint).catch(",
  ]),
  mutant('a fingerprint without the request', [
    SELL,
    '[payment.digest, productId, request]',
    '[payment.digest]',
  ]),
  mutant('a fingerprint without the payload', [
    SELL,
    '[payment.digest, productId, request]',
    '[productId, request]',
  ]),
  mutant('a bad payment with a known key fetches the reply', [
    SELL,
    'if (row?.fingerprint === claim.fingerprint) return replay',
    'if (row) return replay',
  ]),
  mutant('402 when no facilitator can be asked', [
    SELL,
    "if (verdict.kind === 'unavailable') throw unavailable('no facilitator can be reached')",
    "if (verdict.kind === 'unavailable') return 'payment_refused'",
  ]),
  mutant('a refusal without asking the chain', [SELL, "if (outcome.kind === 'paid') return undefined", '']),
  mutant('a used nonce that our node does not show yet is refused', [
    SELL,
    "if (outcome.kind === 'open') throw unseen()",
    '',
  ]),
  mutant('a refusal when the chain cannot be asked', [
    SELL,
    "throw verdict.kind === 'used' ? unseen() : unavailable('the chain cannot be asked', cause)",
    "return { kind: 'dead' as const, cause }",
  ]),
  mutant('a failed handler keeps its claim', [
    SELL,
    'await releaseOnFailure(ports, payment, offer.work)',
    'await offer.work()',
  ]),
  mutant('a failed handler is charged for', [
    SELL,
    'await releaseOnFailure(ports, payment, offer.work)',
    "await offer.work().catch(() => ({ text: '', asOfMs: undefined }))",
  ]),
  mutant('a failed write keeps its claim', [
    SELL,
    '.catch(() => void tryLater())',
    '.catch(() => undefined)',
  ]),
  mutant(
    'a prepared claim can be given back',
    [
      SELL,
      'return toSale(await ports.collect(payment, { ...claim, ...PREPARED, reply }), false)',
      'return toSale(await releaseOnFailure(ports, payment, () => ports.collect(payment, { ...claim, ...PREPARED, reply })), false)',
    ],
    [ROWS, "row?.state === 'claimed' && row.bootId === bootId", 'row?.bootId === bootId'],
  ),
  mutant(
    'prepare does not look whose claim it is',
    [SELL, 'if (!isPrepared) throw inProgress()', ''],
    [
      RECONCILE,
      'const rows = (await ports.book.unfinished(EVERY_PROCESS)).filter',
      'for (const { key, bootId } of await ports.book.unfinished(EVERY_PROCESS)) await ports.book.release(key, bootId)\n  const rows = (await ports.book.unfinished(EVERY_PROCESS)).filter',
    ],
  ),
  mutant('recovery goes on while serving', [
    RECONCILE,
    'const rows = (await ports.book.unfinished(EVERY_PROCESS)).filter',
    'for (const { key, bootId } of await ports.book.unfinished(EVERY_PROCESS)) await ports.book.release(key, bootId)\n  const rows = (await ports.book.unfinished(EVERY_PROCESS)).filter',
  ]),
  mutant('claims of a dead process are kept', [
    RECONCILE,
    'for (const { key, bootId: owner } of claims) await book.release(key, owner)',
    '',
  ]),
  mutant('only rows of earlier processes are asked about', [
    RECONCILE,
    'ports.book.unfinished(EVERY_PROCESS)',
    'ports.book.unfinished(ports.bootId)',
  ]),
  mutant(
    'void by our own clock',
    [
      COLLECT,
      "if (outcome.kind === 'open') return undefined",
      "if (outcome.kind === 'open' && clock.now() < ((JSON.parse(prepared.payment) as Payment).validBeforeMs ?? Number.POSITIVE_INFINITY)) return undefined",
    ],
    [COLLECT, "if (outcome.kind === 'dead') {", "if (outcome.kind !== 'paid') {"],
  ),
  mutant('delivered before it is written down', [
    COLLECT,
    'const row = await book.settle(key, { transaction, facilitator, settledAtMs, receipt }, prepared)',
    'const row = { ...prepared, state: "settled" as const, transaction, reply: prepared.reply && { ...prepared.reply, receipt }, revived: false }\n  void book.settle(key, { transaction, facilitator, settledAtMs, receipt }, prepared)',
  ]),
  mutant('402 while a refused authorization lives', [
    COLLECT,
    "if (answer.kind === 'refused' && outcome) throw pending()",
    "if (answer.kind === 'refused' && outcome) return { state: 'void' } as PaymentRow",
  ]),
  mutant('an identifier may be used twice', [
    ROWS,
    'rows.get(claim.key) ?? find((each) => isSame(each.identifier, claim.identifier))',
    'rows.get(claim.key)',
  ]),
  mutant('a settled row is written again', [
    ROWS,
    "move(key, ['settling', 'void'], {",
    "move(key, ['settling', 'void', 'settled'], {",
  ]),
  mutant('settle goes on after a doubt', [
    POOL,
    "if (answer.kind !== 'refused') return answer",
    "if (answer.kind === 'accepted') return answer",
  ]),
  mutant('a server error counts as not executed', [
    'payments/facilitators/members/member.ts',
    "['unreachable', 'edge', 'unauthorized', 'rejected']",
    "['unreachable', 'edge', 'unauthorized', 'rejected', 'server_error']",
  ]),
  mutant(
    'a timeout counts as not executed',
    [
      'payments/facilitators/members/member.ts',
      "['unreachable', 'edge', 'unauthorized', 'rejected']",
      "['unreachable', 'edge', 'unauthorized', 'rejected', 'timeout']",
    ],
    // Its time limit is a second wall before the same mistake.
    [POOL, 'FAIL_OVER_WITHIN_MS = 10_000', 'FAIL_OVER_WITHIN_MS = 30_000'],
  ),
  mutant('a facilitator that fails has refused', [
    POOL,
    "if (reply.kind === 'fault') continue",
    "if (reply.kind === 'fault') return { kind: 'invalid', reason: 'payment_refused' }",
  ]),
  mutant('a used nonce counts as a refusal', [
    'payments/facilitators/members/reasons.ts',
    '/nonce|used|already|duplicate|pending|',
    '/pending|',
  ]),
  mutant('a Solana payment goes to anybody', [
    'payments/facilitators/monitored-facilitator.ts',
    'if (feePayer !== undefined) return supported.ownsFeePayer(network, feePayer)',
    '',
  ]),
  mutant('a breaker never closes again', [
    'payments/facilitators/breaker.ts',
    "if (now === 'open' || isProbing) return false",
    'if (faults >= 0) return false',
  ]),
  mutant('a half-open breaker never ends its probe', [
    'payments/facilitators/breaker.ts',
    'OPENS_AFTER_FAULTS : isProbing) pause()\n      isProbing = false',
    'OPENS_AFTER_FAULTS : isProbing) pause()',
  ]),
  mutant('a claim is held only after a look into the ledger', [
    HELD,
    'const row = await during(claims.hold(claim), async () => {',
    'await findWritten(ledger, claim)\n      const row = await during(claims.hold(claim), async () => {',
  ]),
  mutant('a held claim does not look into the ledger', [
    HELD,
    'const found = await findWritten(ledger, claim)',
    'const found = undefined',
  ]),
  mutant('a held claim that was taken stays held', [HELD, 'if (isTaken) claims.letGo(claim)', '']),
  mutant('a held claim that was released stays held', [
    HELD,
    'if (held?.claim.bootId === bootId) claims.letGo(held.claim)',
    'if (held?.claim.bootId === bootId) return',
  ]),
  mutant('a held claim is let go before it is written', [
    HELD,
    'const isEntered = await ledger.enter(held.claim, reply)\n        claims.letGo(held.claim)',
    'claims.letGo(held.claim)\n        const isEntered = await ledger.enter(held.claim, reply)',
  ]),
  mutant('a held claim is sold without being written', [
    HELD,
    'const isEntered = await ledger.enter(held.claim, reply)',
    'void ledger.enter(held.claim, reply).catch(() => undefined)\n        const isEntered = true',
  ]),
]

export const CLASSIC_MUTANTS = MUTANTS.slice(0, 10)
