import type { Seeded } from '../../../src/testing/seeded.ts'
import type { Faults } from '../faults.ts'
import { type Authorization, EVM } from '../people/authorization.ts'
import type { Timeline, Trace } from '../timeline.ts'
import { type Blocks, createBlocks } from './blocks.ts'
import { type Announced, confirmedAt, createHistory, type History, type Inclusion } from './history.ts'

export type Mined = { isOk: true } | { isOk: false; reason: string }
export type Sent = { transaction: string; mined: Promise<Mined> }

/** Both chains: what moved, in which block, and what became of that block. */
export type SimulatedChain = {
  blocks: { evm: Blocks; svm: Blocks }
  history: History
  /** Arrives after `ms` and lands in the next block if it still can then: single-use nonce, validity window, balance. */
  broadcast(authorization: Authorization, ms: number, by: string): Sent
  fund(payer: string, value: number): void
  drain(payer: string): void
  balance(payer: string): number
  /** The payer takes the authorization back. */
  cancel(authorization: Authorization): void
  isUsed(authorization: Authorization): boolean
  /** The transfer that stands now. */
  transferOf(key: string): Inclusion | undefined
  transfers(): readonly Inclusion[]
  /** Blocks that a payment of this value needs, its own among them. */
  confirmations(value: number): number
  /** The earliest moment at which a transfer with this key satisfied that rule, also of one that was undone later. */
  confirmedAt(key: string): number | undefined
  /** The last blocks are replaced by others. */
  reorganise(depth: number): void
  /** From when on nothing can undo a transfer. */
  finalFromMs(transfer: Inclusion): number
}
type World = { timeline: Timeline; random: Seeded; faults: Faults; startMs: number; trace: Trace }

/** Base makes blocks every two seconds, and parts of blocks in between. */
const EVM_BLOCK_MS = [2_000, 1_000, 250, 250] as const
const SVM_SLOT_MS = 400
/** More than a reorganisation replaces. */
const EVM_FINAL_BLOCKS = 8
const SVM_FINAL_SLOTS = 32
/** Fewer blocks than the referee waits for before it calls an authorization dead. */
export const MAX_REORG_BLOCKS = 6
/** How long what was not included may still be put into a block that replaces another. */
const MISSED_FOR_MS = 20_000
const HASH_CHARS = 64

export function createSimulatedChain(world: World): SimulatedChain {
  const { timeline, random, faults, startMs, trace } = world
  const blocks = {
    evm: createBlocks(startMs, { everyMs: random.pick(EVM_BLOCK_MS), finalAfter: EVM_FINAL_BLOCKS }),
    svm: createBlocks(startMs, { everyMs: SVM_SLOT_MS, finalAfter: SVM_FINAL_SLOTS }),
  }
  const depths = { cheap: random.pick([1, 1, 2]), dear: random.pick([1, 2, 3]) }
  const confirmations = (value: number) => (value < DEAR ? depths.cheap : depths.dear)
  const history = createHistory()
  const balances = new Map<string, number>()
  const missed: Announced[] = []
  let sent = 0
  const balance = (payer: string) => balances.get(payer) ?? 0
  const useNow = (key: string) => history.useAt(key, timeline.now())
  const add = (announced: Announced, kind: Inclusion['kind']) => {
    const { authorization, transaction, by, block } = announced
    const landedAtMs = timeline.now()
    history.add({ authorization, transaction, by, kind, block, landedAtMs, undoneAtMs: undefined })
    const { payer, value } = authorization
    if (kind === 'transfer') balances.set(payer, balance(payer) - value)
  }
  const findObstacle = ({ authorization, block }: Announced): string | undefined => {
    const { key, payer, value, diesAtMs, isGenuine, network } = authorization
    const chainMs = network === EVM ? blocks.evm.timestampOf(block) * 1000 : timeline.now()
    if (!isGenuine) return 'invalid_signature'
    if (useNow(key)) return 'nonce_already_used'
    if (chainMs >= diesAtMs) return 'expired'
    return balance(payer) < value ? 'insufficient_funds' : undefined
  }
  /** A reorganisation that takes back this very block, perhaps after its payment counted. */
  const strike = ({ authorization, block }: Announced) => {
    if (authorization.network !== EVM || !random.chance(faults.struck)) return
    timeline.after(random.between(0, MAX_REORG_BLOCKS * blocks.evm.everyMs), () => {
      const depth = blocks.evm.heightAt(timeline.now()) - block + 1
      if (faults.struck > 0 && depth <= MAX_REORG_BLOCKS) reorganise(depth)
    })
  }
  const land = (announced: Announced): Mined => {
    history.withdraw(announced)
    const { authorization } = announced
    const isLost = authorization.network === EVM && random.chance(faults.brokenPromise)
    const reason = isLost ? 'dropped' : findObstacle(announced)
    trace?.(`chain: ${authorization.key} by ${announced.by}: ${reason ?? announced.transaction}`)
    if (reason === 'dropped' || reason === 'expired') missed.push(announced)
    if (reason === undefined) {
      add(announced, 'transfer')
      strike(announced)
    }
    if (reason !== undefined && reason !== 'dropped') add(announced, 'failed')
    return reason === undefined ? { isOk: true } : { isOk: false, reason }
  }
  const announce = (authorization: Authorization, transaction: string, by: string) =>
    new Promise<Mined>((resolve) => {
      const own = authorization.network === EVM ? blocks.evm : blocks.svm
      const block = own.heightAt(timeline.now()) + 1
      const announced = { authorization, transaction, by, block, atMs: timeline.now() }
      history.announce(announced)
      timeline.after(own.timeOf(block) - timeline.now(), () => resolve(land(announced)))
    })
  const reorganise = (depth: number) => {
    const nowMs = timeline.now()
    const from = blocks.evm.heightAt(nowMs) - depth + 1
    trace?.(`chain: the last ${depth} blocks are replaced`)
    const undone = history
      .standing()
      .filter((each) => each.kind === 'transfer' && each.authorization.network === EVM && each.block >= from)
    for (const each of undone) {
      each.undoneAtMs = nowMs
      const { payer, value } = each.authorization
      balances.set(payer, balance(payer) + value)
    }
    const late = missed.splice(0).filter(({ atMs }) => atMs > nowMs - MISSED_FOR_MS)
    for (const each of [...undone, ...late]) {
      const { authorization, transaction, by } = each
      const block = Math.max(from, each.block)
      const again = { authorization, transaction, by, block, atMs: nowMs }
      const fate = random.pick(['at once', 'at once', 'later', 'never'] as const)
      if (fate === 'at once' && findObstacle(again) === undefined) add(again, 'transfer')
      if (fate === 'later')
        timeline.after(random.between(0, 10_000), () => void announce(authorization, transaction, by))
    }
  }
  return {
    ...{ blocks, history, balance, confirmations, reorganise },
    broadcast(authorization, ms, by) {
      const transaction = `0x${(++sent).toString(16).padStart(HASH_CHARS, '0')}`
      const mined = new Promise<Mined>((resolve) => {
        timeline.after(ms, () => void announce(authorization, transaction, by).then(resolve))
      })
      return { transaction, mined }
    },
    fund: (payer, value) => void balances.set(payer, value),
    drain: (payer) => void balances.set(payer, 0),
    cancel(authorization) {
      if (useNow(authorization.key)) return
      const block = blocks.evm.heightAt(timeline.now())
      const transaction = `0x${(++sent).toString(16).padStart(HASH_CHARS, '0')}`
      add({ authorization, transaction, by: 'payer', block, atMs: timeline.now() }, 'cancel')
    },
    isUsed: ({ key }) => useNow(key) !== undefined,
    transferOf(key) {
      const use = useNow(key)
      return use?.kind === 'transfer' ? use : undefined
    },
    finalFromMs({ authorization, block, landedAtMs }) {
      const own = authorization.network === EVM ? blocks.evm : blocks.svm
      return Math.max(landedAtMs, own.finalFromMs(block))
    },
    transfers: () => history.standing().filter(({ kind }) => kind === 'transfer'),
    confirmedAt(key) {
      const nowMs = timeline.now()
      const moments = history
        .ofKey(key)
        .filter(({ kind }) => kind === 'transfer')
        .flatMap((each) => confirmedAt(each, blocks, confirmations) ?? [])
      const first = Math.min(...moments)
      return first <= nowMs ? first : undefined
    },
  }
}

/** From this value on a payment may need more blocks. */
const DEAR = 100_000
