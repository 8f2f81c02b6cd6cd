import { type Mutant, mutant, POOL } from './mutant.ts'

/** In how facilitators are asked and believed. */
export const FACILITATOR_MUTANTS: readonly Mutant[] = [
  mutant('settle goes on after a doubt', [
    POOL,
    "if (answer.kind !== 'refused') return answer",
    "if (answer.kind === 'accepted') return answer",
  ]),
  mutant('a server error counts as not executed', [
    'payments/facilitators/members/member.ts',
    "['unreachable', 'edge', 'busy', 'unauthorized', 'rejected']",
    "['unreachable', 'edge', 'busy', 'unauthorized', 'rejected', 'server_error']",
  ]),
  mutant(
    'a timeout counts as not executed',
    [
      'payments/facilitators/members/member.ts',
      "['unreachable', 'edge', 'busy', 'unauthorized', 'rejected']",
      "['unreachable', 'edge', 'busy', 'unauthorized', 'rejected', 'timeout']",
    ],
    // Its time limit is a second wall before the same mistake.
    [POOL, 'FAIL_OVER_WITHIN_MS = 10_000', 'FAIL_OVER_WITHIN_MS = 30_000'],
  ),
  mutant('a facilitator that fails has refused', [
    'payments/facilitators/verify.ts',
    "if (reply?.kind !== 'answer') continue",
    "if (reply?.kind !== 'answer') return { kind: 'invalid', reason: 'payment_refused' }",
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
    "(state() === 'half_open' && !isProbing)",
    "(state() === 'half_open' && !isProbing && faults < 0)",
  ]),
  mutant('a half-open breaker never ends its probe', [
    'payments/facilitators/breaker.ts',
    'failedPayers.add(payer)\n    isProbing = false',
    'failedPayers.add(payer)',
  ]),
  mutant('a busy facilitator is asked again at once', [
    'payments/facilitators/load.ts',
    'heldUntilMs = Math.max(heldUntilMs, clock.now() + Math.min(ms, LONGEST_HOLD_MS))',
    '',
  ]),
  mutant('a place at a facilitator is never given back', [
    'payments/facilitators/monitored-facilitator.ts',
    'place.leave()\n',
    '\n',
  ]),
  mutant('a bucket that never fills', [
    'payments/facilitators/bucket.ts',
    'leftMs = Math.min(burst * callMs, leftMs + Math.max(0, nowMs - filledAtMs))',
    '',
  ]),
  mutant('busy facilitators have refused', [
    'payments/facilitators/verify.ts',
    'if (waitMs !== undefined) throw facilitatorsBusy(waitMs)',
    "if (waitMs !== undefined) return invalid('payment_refused')",
  ]),
]
