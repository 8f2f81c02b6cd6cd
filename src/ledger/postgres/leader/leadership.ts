import { describeError } from '../../../core/describe-error.ts'
import { createFaultLog } from '../../../core/fault-log.ts'
import type { Log } from '../../../core/log.ts'
import { type Clock, sleep } from '../../../core/time/clock.ts'
import type { CheckLedger } from '../identity/same-ledger.ts'
import { type Leader, type LockSession, openLockSession, SILENT_SESSION_MS } from './lock-session.ts'

/** One process of all on a ledger leads: it alone trades and writes the record. */
export type Leadership = {
  /** The term while this process leads, undefined while it does not, or cannot be sure. */
  term(): number | undefined
  /** True once this process leads; false where the time is over, or `close` was called, before. */
  won(withinMs?: number): Promise<boolean>
  /** Aborted once another process has led after this one. That is for good. */
  lost: AbortSignal
  /** Who is known to lead, or to have led last. */
  leader(): Leader | undefined
  /** Whether the database could be asked the last time. */
  isAnswered(): boolean
  /** Another process will lead after this one. False where that cannot be asked. */
  isAwaited(): Promise<boolean>
  close(): Promise<void>
}

const ASK_EVERY_MS = 500
/**
 * A leader counts himself as one for so long after he sent what the server has answered last. A server that hears
 * nothing waits longer than that before it lets another one lead, whatever their clocks say. Where it ends a session of
 * its own accord it says so at once; what is written in that moment is stopped by its term (`fenced-database.ts`).
 */
export const LEASE_MS = SILENT_SESSION_MS - 500

type Input = {
  url: string
  /** For messages: which process this is. */
  holder: string
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  /** Asked on every session: nobody leads on a ledger that he does not serve from. */
  checkLedger?: CheckLedger
}

/** Asks for the leadership twice a second until closed, keeps it, and takes it back after an outage that nobody used. */
export function openLeadership({ url, holder, clock, log, checkLedger }: Input): Leadership {
  const closing = new AbortController()
  const lost = new AbortController()
  const winning = new AbortController()
  const steady = () => clock.steady?.() ?? clock.now()
  let session: LockSession | undefined
  let own: { term: number; isHeld: boolean; heardMs: number } | undefined
  let known: Leader | undefined
  const faults = createFaultLog(log, 'the database cannot be asked who leads')

  const stepDown = () => {
    if (own) own.isHeld = false
  }
  const takeTurn = async (to: LockSession) => {
    const sentMs = steady()
    if (own?.isHeld) {
      await to.beat()
      own.heardMs = sentMs
      return
    }
    const isOurs = await to.tryLock()
    known = await to.read()
    // In whatever term: a database that was put back counts again what it had counted.
    if (own && known && known.holder !== holder) return lost.abort()
    if (!isOurs) return
    const raisedMs = steady()
    const term = await to.raise(holder)
    own = { term, isHeld: true, heardMs: raisedMs }
    known = { term, holder }
    log.info({ term }, 'this process leads')
    winning.abort()
  }
  const giveUpSession = (error: unknown) => {
    const ended = session
    session = undefined
    stepDown()
    faults.failed(error, { cause: describeError(error) })
    // Not waited for: a server that does not answer keeps nobody from asking anew.
    void ended?.end()
  }
  const run = async () => {
    while (!closing.signal.aborted && !lost.signal.aborted) {
      try {
        session ??= await openLockSession(url, stepDown, checkLedger)
        await takeTurn(session)
        faults.succeeded()
      } catch (error) {
        giveUpSession(error)
      }
      await sleep(clock, ASK_EVERY_MS, closing.signal)
    }
    stepDown()
    await session?.end()
  }
  const running = run()
  return {
    term: () => (own?.isHeld && steady() - own.heardMs < LEASE_MS ? own.term : undefined),
    async won(withinMs) {
      const over = AbortSignal.any([winning.signal, closing.signal])
      await (withinMs === undefined ? aborted(over) : sleep(clock, withinMs, over))
      return winning.signal.aborted
    },
    lost: lost.signal,
    leader: () => known,
    isAnswered: () => !faults.isFailing(),
    isAwaited: async () => (await session?.areOthersPresent().catch(() => false)) ?? false,
    async close() {
      closing.abort()
      await running
    },
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
