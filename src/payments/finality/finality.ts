import type { Log } from '../../core/log.ts'
import { shorten } from '../../core/shorten.ts'
import { type Clock, sleep } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { FinalityBook, Finding } from '../../ledger/ports/finality-book.ts'
import type { PaymentBook } from '../../ledger/ports/payment-book.ts'
import type { Facilitators } from '../gate/ports.ts'
import type { FinalChain } from './ports.ts'
import { createSettleAgain } from './settle-again.ts'
import { createWalk } from './walk.ts'
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

/** What is done over and over, and the networks that it asks. A step says whether more waits. */
type Work = { asked: readonly string[]; step: () => Promise<boolean> }

const STEP_EVERY_MS = 5_000
/** While there are more rows than one step takes: two million in a day and network. */
const BEHIND_EVERY_MS = 1_000
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
    while (!signal.aborted) {
      await untilCalm(asked, signal)
      const isBehind = await step().catch((err) => {
        if (failures++ === 0) log.warn({ err }, 'settled payments cannot be looked at again')
        return undefined
      })
      if (isBehind === undefined) await learnWary(signal)
      else failures = 0
      const pauseMs = Math.min(STEP_EVERY_MS * 2 ** failures, LONGEST_PAUSE_MS)
      await sleep(clock, isBehind ? BEHIND_EVERY_MS : pauseMs, signal)
    }
  }
  const learn = {
    asked: [],
    step: async () => {
      await wary.load()
      return false
    },
  }
  return {
    recover: wary.load,
    follow: (signal) => follow(learn, signal),
    async run(signal) {
      const walks = networks.map((network) => ({
        asked: [network],
        step: async () => {
          const { findings, isBehind } = await walk(network)
          await told(findings)
          return isBehind
        },
      }))
      const again = {
        asked: networks,
        step: async () => {
          await told(await settleAgain())
          return false
        },
      }
      const works = [...walks, again, ...(isShared ? [learn] : [])]
      await Promise.all(works.map((work) => follow(work, signal)))
    },
  }
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
