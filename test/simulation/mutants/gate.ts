import { COLLECT, type Mutant, mutant, RECONCILE, ROWS, SELL } from './mutant.ts'

/** In the steps of a sale and in what comes after it. */
export const GATE_MUTANTS: readonly Mutant[] = [
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
    "if (row?.fingerprint === claim.fingerprint && !(isFailure && row.state === 'void'))",
    'if (row)',
  ]),
  mutant('402 when no facilitator can be asked', [
    SELL,
    "if (verdict.kind === 'unavailable') throw unavailable('no facilitator could check the payment')",
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
    'await releaseOnFailure(ports, claim, offer.work)',
    'await offer.work()',
  ]),
  mutant('a failed handler is charged for', [
    SELL,
    'await releaseOnFailure(ports, claim, offer.work)',
    "await offer.work().catch(() => ({ text: '', asOfMs: undefined }))",
  ]),
  mutant(
    'a prepared claim can be given back',
    [
      SELL,
      'return toSale(await ports.collect(payment, row, { isOwn: true, isStale }), false)',
      'return toSale(await releaseOnFailure(ports, claim, () => ports.collect(payment, row, { isOwn: true, isStale })), false)',
    ],
    [ROWS, "row?.state === 'claimed' && row.id === id", 'row?.id === id'],
  ),
  mutant(
    'prepare does not look whose claim it is',
    [SELL, 'if (!isPrepared) throw inProgress()', ''],
    [RECONCILE, 'await book.releaseExpired(clock.now())', 'await book.releaseExpired(clock.now() + 60_000)'],
  ),
  mutant('a reply that has grown old is charged for', [
    SELL,
    'isFresh?.(reply.asOfMs) === false',
    'isFresh === undefined',
  ]),
  mutant('recovery goes on while serving', [
    RECONCILE,
    'await book.releaseExpired(clock.now())',
    'await book.releaseExpired(clock.now() + 60_000)',
  ]),
  mutant('claims of a dead process are kept', [RECONCILE, 'await book.releaseExpired(clock.now())', '0']),
  mutant('a claim is released by whoever knows its key', [
    ROWS,
    "row?.state === 'claimed' && row.id === id",
    "row?.state === 'claimed'",
  ]),
  mutant('what another process found undone is never learnt', [
    'payments/finality/finality.ts',
    '...(isShared ? [learn] : [])',
    '',
  ]),
  mutant('what another process decided is never learnt', [RECONCILE, 'again(() => dropDecided(ports))', '']),
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
  mutant(
    'money moves while the chain cannot be asked',
    [SELL, 'await releaseOnFailure(ports, claim, () => checkChain(ports, payment, SEEN_EARLY_MS))', ''],
    [SELL, 'await releaseOnFailure(ports, claim, () => checkChain(ports, payment, SEEN_LAST_MS))', ''],
  ),
  mutant('a payment under way is sent again while the chain cannot be asked', [
    SELL,
    'await ports.chain.ready(payment.network, SEEN_LAST_MS).catch(() => {',
    'await Promise.resolve().catch(() => {',
  ]),
  mutant('a release in doubt is done again to whoever came next', [
    SELL,
    '    book.release(key, id).then(',
    '    book.find(key).then((row) => row && book.release(key, row.id)).then(',
  ]),
  mutant('a settlement in doubt is void', [
    COLLECT,
    'const row = await book.settle(key, { transaction, facilitator, settledAtMs, receipt }, prepared)',
    "const row = await book.settle(key, { transaction, facilitator, settledAtMs, receipt }, prepared).catch(() => ({ ...prepared, state: 'void' as const, revived: false }))",
  ]),
  mutant('the reconcile worker comes once in two minutes', [
    RECONCILE,
    'ROUND_EVERY_MS = 2_000',
    'ROUND_EVERY_MS = 120_000',
  ]),
  mutant('the reconcile worker ends with its first fault', [
    RECONCILE,
    'await step().then(faults.succeeded, (err) => faults.failed(err, { err }))',
    'if (await step().then(() => false, () => true)) return',
  ]),
]
