import type { LoadLimits } from '../../../src/payments/facilitators/load.ts'
import {
  busyFor,
  type FacilitatorMember,
  faulty,
  type MemberReply,
  type SettleReply,
  type VerifyReply,
} from '../../../src/payments/facilitators/members/member.ts'
import type { Seeded } from '../../../src/testing/seeded.ts'
import type { SimulatedChain } from '../chain/simulated-chain.ts'
import type { Faults } from '../faults.ts'
import { type Authorization, EVM, type SignedBook, SVM } from '../people/authorization.ts'
import { feePayerNamed } from '../people/svm-signer.ts'
import type { Timeline, Trace } from '../timeline.ts'

type World = {
  timeline: Timeline
  random: Seeded
  chain: SimulatedChain
  signed: SignedBook
  /** Somebody who sees the authorization on its way may submit it first; true where somebody does. */
  preempt(authorization: Authorization): boolean
  /** From now on nobody does. */
  spare(key: string): void
  /** Told when a payment arrives that this one cannot submit. */
  strayed(key: string): void
  /** Told when it found fault with a payment, rightly or not. */
  denied(key: string): void
  /** Told when a payment arrives that nobody signed like that. */
  forged(key: string): void
  trace: Trace
}
export type Outage = 'none' | 'unreachable' | 'silent' | 'failing'
export type SimulatedFacilitator = { member: FacilitatorMember; setOutage(outage: Outage): void }

/** A new one each time: a promise keeps all who wait for it. */
const never = () => new Promise<never>(() => {})
/** A facilitator gives up waiting for a block after this and says that it is pending. */
const WAITS_FOR_BLOCK_MS = 6_000
/** Far less than real ones, so that a handful of calls reaches it. */
const TIGHT: LoadLimits = { inFlight: 2, burst: 3, perSecond: 1 }
/** No transaction has this hash. */
const NEVER_SENT = `0x${'f'.repeat(64)}`
/** Real ones want to see this much life left in an authorization. */
const NEEDS_LIFE_MS = 6_000

/** A facilitator that errs in every way a facilitator can, as often as `faults` says. */
export function createSimulatedFacilitator(world: World, name: string, faults: Faults): SimulatedFacilitator {
  const { timeline, random, trace } = world
  let outage: Outage = 'none'
  const travel = () => timeline.sleep(random.between(1, 40))
  /** The way there and back. What happens in between happens, whether or not anybody hears of it. */
  const call = async <T>(tell: (answer: T) => void, work: () => Promise<T>): Promise<MemberReply<T>> => {
    await travel()
    if (outage === 'unreachable') return faulty('unreachable')
    if (outage === 'silent' || random.chance(faults.dropRequest)) return never()
    if (random.chance(faults.edge)) return faulty('edge')
    if (random.chance(faults.rateLimited)) return busyFor(random.between(1, 8) * 1_000)
    if (outage === 'failing' || random.chance(faults.errorBefore)) return faulty('server_error')
    const answer = await work()
    tell(answer)
    if (random.chance(faults.errorAfter)) return faulty('server_error')
    if (random.chance(faults.unparsable)) return faulty('unparsable')
    if (random.chance(faults.dropReply)) return never()
    if (random.chance(faults.lateReply)) await timeline.sleep(random.between(3_000, 15_000))
    await travel()
    return { kind: 'answer', answer }
  }
  const telling = (step: string, authorization: Authorization) => (answer: object) =>
    trace?.(`${name}: ${step} ${authorization.key} → ${JSON.stringify(answer)}`)
  const feePayer = feePayerNamed(name)
  const limits = random.chance(faults.rateLimited) ? { verify: TIGHT, settle: TIGHT } : undefined
  const find = (payload: Record<string, unknown>) => {
    const authorization = world.signed.ofPayload(payload)
    if (!authorization.isGenuine) world.forged(authorization.key)
    return authorization
  }
  return {
    setOutage(next) {
      outage = next
    },
    member: {
      name,
      ...(limits ? { limits } : {}),
      verify: ({ paymentPayload }) => {
        const authorization = find(paymentPayload)
        return call(telling('verify', authorization), async () =>
          verify(world, faults, feePayer, authorization),
        )
      },
      settle: ({ paymentPayload }) => {
        const authorization = find(paymentPayload)
        return call(telling('settle', authorization), () =>
          settle(world, faults, name, feePayer, authorization),
        )
      },
      supported: () =>
        call(
          () => undefined,
          async () => [
            { network: EVM, feePayers: [] },
            { network: SVM, feePayers: [feePayer] },
          ],
        ),
    },
  }
}

function verify(world: World, faults: Faults, feePayer: string, authorization: Authorization): VerifyReply {
  const { random, timeline, chain } = world
  const isPreempted = world.preempt(authorization)
  if (random.chance(faults.lyingValid)) return { isValid: true, reason: undefined }
  // A seller cannot detect a facilitator that refuses a payment while a stranger submits it, so the two never meet here.
  const isLie = !isPreempted && random.chance(faults.lyingInvalid)
  if (isLie) world.spare(authorization.key)
  const reason = isLie
    ? 'invalid_payload'
    : findFlaw(chain, feePayer, authorization, timeline.now() + NEEDS_LIFE_MS)
  if (reason !== undefined) world.denied(authorization.key)
  return { isValid: reason === undefined, reason }
}

function findFlaw(
  chain: SimulatedChain,
  feePayer: string,
  authorization: Authorization,
  atMs: number,
): string | undefined {
  if (authorization.feePayer !== undefined && authorization.feePayer !== feePayer)
    return 'invalid_exact_svm_fee_payer_mismatch'
  if (!authorization.isGenuine) return 'invalid_exact_evm_signature'
  if (chain.isUsed(authorization)) return 'invalid_exact_evm_nonce_already_used'
  if (atMs >= authorization.diesAtMs) return 'invalid_exact_evm_payload_authorization_valid_before'
  if (chain.balance(authorization.payer) < authorization.value)
    return 'invalid_exact_evm_insufficient_balance'
  return undefined
}

async function settle(
  world: World,
  faults: Faults,
  name: string,
  feePayer: string,
  authorization: Authorization,
): Promise<SettleReply> {
  const { random, timeline, chain } = world
  if (authorization.feePayer !== undefined && authorization.feePayer !== feePayer)
    world.strayed(authorization.key)
  const earlier = chain.transferOf(authorization.key)
  if (earlier && random.chance(0.3)) return succeeded(earlier.transaction)
  const flaw = findFlaw(chain, feePayer, authorization, timeline.now())
  if (flaw !== undefined) return failed(flaw)
  if (random.chance(faults.lyingSuccess)) return succeeded(NEVER_SENT)
  const ms = mineAfter(random, faults)
  if (random.chance(faults.doubleSubmit)) void chain.broadcast(authorization, random.between(5, 3_000), name)
  const { transaction, mined } = chain.broadcast(authorization, ms, name)
  if (random.chance(faults.lyingFailure))
    return failed(
      random.pick(['insufficient_funds', 'invalid_exact_evm_nonce_already_used', 'duplicate_settlement']),
    )
  if (random.chance(faults.optimistic)) return succeeded(transaction)
  if (ms > WAITS_FOR_BLOCK_MS || random.chance(faults.pending)) return failed('settlement_pending')
  const outcome = await mined
  return outcome.isOk
    ? succeeded(transaction)
    : { ...failed('invalid_exact_evm_transaction_failed'), transaction }
}

/** From an instant chain over two-second blocks to one that is choked. */
function mineAfter(random: Seeded, faults: Faults): number {
  if (random.chance(faults.slowMining)) return random.between(2_000, 40_000)
  return random.between(5, 2_000)
}

const succeeded = (transaction: string): SettleReply => ({ success: true, reason: undefined, transaction })
const failed = (reason: string): SettleReply => ({ success: false, reason, transaction: undefined })
