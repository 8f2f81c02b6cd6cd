import { sleep, systemClock } from '../../src/core/time/clock.ts'
import type { Seeded } from '../../src/testing/seeded.ts'
import { type Answer, type Counter, homeOf } from './counter.ts'
import type { Prey } from './prey.ts'
import { readRequired } from './terms.ts'
import type { SignedPayment, Wallet } from './wallet.ts'

/** One thing somebody wanted, with every payment signed for it. */
export type Purchase = {
  kind: 'honest' | 'vanishing'
  path: string
  payments: readonly SignedPayment[]
  isDelivered: boolean
  /** Answers that an honest buyer must never get. */
  insults: readonly string[]
}
export type BuyersInput = {
  counter: Counter
  prey: Prey
  paths: readonly [string, ...string[]]
  /** No new purchase after this; those under way are brought to an end. */
  isClosing(): boolean
  /** Long after closing time even an honest buyer gives up. */
  isTooLate(): boolean
  /** Whether one who leaves now leaves early enough for the chain to decide within the run. */
  mayVanish(wallet: Wallet): boolean
  purchases: Purchase[]
}
type Draft = { -readonly [Field in keyof Purchase]: Purchase[Field] } & {
  payments: SignedPayment[]
  insults: string[]
}

const VANISH_SHARE = 0.15
const VANISHED_WITHIN_MS = 400
/** Signed for so short that a restart often outlasts it: then it must be void, and stay so. */
const SHORT_LIFE_SHARE = 0.15
const SHORT_LIFE_S = [10, 25] as const

/** Its reply is in the ledger, and it was sent to a facilitator. */
const STORED = 'payment_pending'

/** Buys until closing time. */
export async function runBuyer(input: BuyersInput, wallet: Wallet, seeded: Seeded): Promise<void> {
  while (!input.isClosing()) {
    const path = seeded.pick(input.paths)
    const isVanishing = seeded.chance(VANISH_SHARE) && input.mayVanish(wallet)
    const draft: Draft = {
      kind: isVanishing ? 'vanishing' : 'honest',
      path,
      payments: [],
      isDelivered: false,
      insults: [],
    }
    const isShort = isVanishing || seeded.chance(SHORT_LIFE_SHARE)
    const lifeS = isShort ? seeded.between(...SHORT_LIFE_S) : undefined
    const payment = await signOne(input, wallet, path, lifeS)
    if (!payment) return
    draft.payments.push(payment)
    input.purchases.push(draft)
    if (isVanishing) await presentAndLeave(input, path, payment, seeded)
    else await buyToTheEnd(input, wallet, draft, payment, seeded)
    await sleep(systemClock, seeded.between(20, 200))
  }
}

/** Asks until there is a challenge that this wallet can pay; undefined when the shop closes first. */
async function signOne(
  input: BuyersInput,
  wallet: Wallet,
  path: string,
  lifeS: number | undefined,
): Promise<SignedPayment | undefined> {
  while (!input.isClosing()) {
    const required = await readRequired(input.counter, path)
    const payment = required && (await wallet.sign(required, lifeS).catch(() => undefined))
    if (payment) return payment
    await sleep(systemClock, 150)
  }
  return undefined
}

async function presentAndLeave(
  { counter, prey }: BuyersInput,
  path: string,
  payment: SignedPayment,
  seeded: Seeded,
): Promise<void> {
  const leaveAfterMs = seeded.between(1, VANISHED_WITHIN_MS)
  await counter.present(path, payment, { leaveAfterMs, from: homeOf(payment) })
  prey.offer({ path, payment, isAnybodys: true })
}

/** Presents one payment until it is decided; signs another only when a 402 says that this one is no good. */
async function buyToTheEnd(
  input: BuyersInput,
  wallet: Wallet,
  draft: Draft,
  first: SignedPayment,
  seeded: Seeded,
): Promise<void> {
  const { counter, prey } = input
  const { path } = draft
  let payment = first
  while (!input.isTooLate()) {
    const answer = await counter.present(path, payment, { from: homeOf(payment) })
    if (answer?.reason === STORED) prey.offer({ path, payment, isAnybodys: false })
    if (answer?.status === 200) {
      draft.isDelivered = true
      prey.offer({ path, payment, isAnybodys: true })
      return
    }
    if (answer?.status === 402) {
      prey.withdraw(payment)
      const next = await signAnother(input, wallet, draft)
      if (!next) return
      payment = next
    } else if (answer && !isUndecided(answer)) {
      draft.insults.push(`${answer.status} ${answer.reason} for ${payment.id}`)
      return
    }
    await sleep(systemClock, seeded.between(30, 400))
  }
}

async function signAnother(
  input: BuyersInput,
  wallet: Wallet,
  draft: Draft,
): Promise<SignedPayment | undefined> {
  // After closing time too: a purchase that has begun is finished.
  const payment = await signOne({ ...input, isClosing: input.isTooLate }, wallet, draft.path, undefined)
  if (payment) draft.payments.push(payment)
  return payment
}

function isUndecided({ status, mayRetry }: Answer): boolean {
  return mayRetry && (status === 409 || status === 429 || status === 503)
}
