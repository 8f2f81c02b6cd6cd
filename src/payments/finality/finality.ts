import type { Log } from '../../core/log.ts'
import { shorten } from '../../core/shorten.ts'
import { type Clock, sleep } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { FinalityBook, Finding } from '../../ledger/ports/finality-book.ts'
import type { PaymentBook } from '../../ledger/ports/payment-book.ts'
import type { Facilitators } from '../gate/ports.ts'
import type { FinalChain } from './ports.ts'
import { createSettleAgain } from './settle-again.ts'
import { createWalk, type Left, STEP_ROWS } from './walk.ts'
import type { WaryPayers } from './wary-payers.ts'

export type Finality = {
  /** Before the first request: who must wait for finality. */
  recover(): Promise<void>
  /** Looks again at what was settled, until stopped. */
  run(signal: AbortSignal): Promise<void>
  /** Only learns whom another process has found to wait for finality, until stopped. */
  follow(signal: AbortSignal): Promise<void>
}
export type FinalityPorts = {
  clock: Clock
  log: Log
  book: FinalityBook
  payments: Pick<PaymentBook, 'find'>
  chain: FinalChain
  facilitators: Pick<Facilitators, 'settle'>
  wary: WaryPayers
  /** That payments are offered on. */
  networks: readonly string[]
  /** Several processes look: what another one found is learnt from the ledger. */
  isShared?: boolean
}

/** What is done over and over, and the networks that it asks. A step says what is left to do. */
type Work = { asked: readonly string[]; step: (rows: number) => Promise<Left> }

const STEP_EVERY_MS = 5_000
/** A step a second of 25 rows is two million in a day and network. Where more is sold that would never come to the end. */
const BEHIND_EVERY_MS = 1_000
const FAR_BEHIND = { everyMs: 100, rows: 4 * STEP_ROWS }
/** Who has refused what was asked in haste is not hurried again for so long. */
const UNHURRIED_MS = 5 * MINUTE_MS
/** After steps that failed: doubles up to the longest. */
const LONGEST_PAUSE_MS = 2 * MINUTE_MS
/** Nodes that are strained are left to those who buy for so long; slow ones may never be anything else. */
const LEFT_ALONE_MS = MINUTE_MS

export function createFinality(ports: FinalityPorts): Finality {
  const { clock, log, chain, wary, networks, isShared = false } = ports
  const walk = createWalk(ports)
  const settleAgain = createSettleAgain(ports)
  const told = async (findings: readonly Finding[]) => {
    if (findings.length > 0) await wary.load()
    for (const finding of findings) await tell(ports, finding)
  }
  /** Buyers come first: nobody waits for what is looked at again. */
  const untilCalm = async (asked: readonly string[], signal: AbortSignal) => {
    const untilMs = clock.now() + LEFT_ALONE_MS
    const isStrained = () => clock.now() < untilMs && asked.some(chain.isStrained)
    while (isStrained() && !signal.aborted) await sleep(clock, STEP_EVERY_MS, signal)
  }
  /** A step that failed may have written down who must wait from now on. */
  const learnWary = async (signal: AbortSignal) => {
    const isRead = () =>
      wary.load().then(
        () => true,
        () => false,
      )
    while (!signal.aborted && !(await isRead())) await sleep(clock, STEP_EVERY_MS, signal)
  }
  const follow = async ({ asked, step }: Work, signal: AbortSignal) => {
    let failures = 0
    let isHurried = false
    let hurryFromMs = 0
    while (!signal.aborted) {
      await untilCalm(asked, signal)
      const left: Left | undefined = await step(isHurried ? FAR_BEHIND.rows : STEP_ROWS).catch((err) => {
        if (failures++ === 0) log.warn({ err }, 'settled payments cannot be looked at again')
        return undefined
      })
      if (left === undefined) {
        hurryFromMs = clock.now() + UNHURRIED_MS
        await learnWary(signal)
      } else failures = 0
      isHurried = left === 'much' && clock.now() >= hurryFromMs
      await sleep(clock, pauseAfter(left, isHurried, failures), signal)
    }
  }
  const learn: Work = {
    asked: [],
    step: async () => {
      await wary.load()
      return 'nothing'
    },
  }
  return {
    recover: wary.load,
    follow: (signal) => follow(learn, signal),
    async run(signal) {
      const walks = networks.map((network) => ({
        asked: [network],
        step: async (rows: number) => {
          const { findings, left } = await walk(network, rows)
          await told(findings)
          return left
        },
      }))
      const again: Work = {
        asked: networks,
        step: async () => {
          await told(await settleAgain())
          return 'nothing'
        },
      }
      const works = [...walks, again, ...(isShared ? [learn] : [])]
      await Promise.all(works.map((work) => follow(work, signal)))
    },
  }
}

function pauseAfter(left: Left | undefined, isHurried: boolean, failures: number): number {
  if (isHurried) return FAR_BEHIND.everyMs
  if (left === 'some' || left === 'much') return BEHIND_EVERY_MS
  return Math.min(STEP_EVERY_MS * 2 ** failures, LONGEST_PAUSE_MS)
}

const TEXTS: Record<Finding['state'], string> = {
  unseen: 'no node can say whether a settled payment stands',
  open: 'a settled payment was undone by the chain',
  paid: 'a settled payment stands in another transaction, or again',
  lost: 'a settled payment was undone by the chain and is lost',
}

async function tell({ payments, log }: FinalityPorts, { key, state, transaction }: Finding): Promise<void> {
  const row = await payments.find(key)
  const payer = row && shorten(row.payer)
  log.warn({ payer, product: row?.productId, tx: row?.transaction, newTx: transaction }, TEXTS[state])
}
