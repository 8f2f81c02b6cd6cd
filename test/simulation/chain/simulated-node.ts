import type { JsonRpc, RpcCall } from '../../../src/payments/chain/json-rpc.ts'
import type { Seeded } from '../../../src/testing/seeded.ts'
import type { Faults } from '../faults.ts'
import type { GateCode } from '../gate-code.ts'
import { guarded } from '../seller/guarded.ts'
import type { Timeline } from '../timeline.ts'
import { answerEvm, isBeyond, type View } from './evm-answers.ts'
import type { SimulatedChain } from './simulated-chain.ts'
import { answerSvm } from './svm-answers.ts'

export type Trouble = 'none' | 'silent' | 'limited' | 'failing'
export type SimulatedNode = {
  /** For one process: what it waits for when it dies never comes. */
  rpcFor(isAlive: () => boolean): JsonRpc
  setTrouble(trouble: Trouble): void
  isOut(): boolean
  /** Its head stands still. */
  freeze(): void
  /** From here on it shows what is there. */
  heal(): void
}
export type NodeWorld = {
  timeline: Timeline
  random: Seeded
  faults: Faults
  chain: SimulatedChain
  /** The classes by which the code under test knows an error. */
  code: Pick<GateCode, 'NodeStatusError' | 'NodeBusyError' | 'NoBatchError' | 'JsonRpcRefusal'>
}
/** How a node differs from a good one until it is healed. */
export type Flaws = {
  lagMs: number
  keepsBlocks: number
  isForgetful: boolean
  isHasty: boolean
  /** Calls that it takes in one request. One that takes a single one is one machine: of several nobody could know which answers. */
  batchLimit: number
}

const MAX_LAG_MS = 4_000
/** What the service lets a node take for an answer. */
const TIMEOUT_MS = 5_000
/** Of calls that take time; what follows at once gives nothing else a chance to happen in between. */
const SLOW_SHARE = 0.35

/** One node of one chain: it may fail, lag, forget and hurry, but what it shows was so at the moment it speaks of. */
export function createSimulatedNode(world: NodeWorld, kind: 'evm' | 'svm', flaws: Flaws): SimulatedNode {
  const { timeline, random, faults, chain } = world
  let { lagMs, keepsBlocks, isForgetful } = flaws
  const { isHasty, batchLimit } = flaws
  let trouble: Trouble = 'none'
  let frozenAtMs: number | undefined
  const look = (): View => {
    const isLate = batchLimit > 1 && random.chance(faults.rpcLag)
    const lateMs = lagMs + (isLate ? random.between(1, MAX_LAG_MS) : 0)
    const seenMs = (frozenAtMs ?? timeline.now()) - lateMs
    return { seenMs, oldest: chain.blocks.evm.heightAt(seenMs) - keepsBlocks, isForgetful, isHasty }
  }
  const answer = (view: View, [method, params]: RpcCall): unknown => {
    if (kind === 'svm') return answerSvm(chain, view.seenMs, method, params)
    if (isBeyond(chain, view, params))
      throw new world.code.JsonRpcRefusal(method, { code: -32000, message: 'header not found' })
    return answerEvm(chain, view, method, params)
  }
  /** Undefined where it answers at once. */
  const findDelay = (): (() => Promise<void>) | undefined => {
    if (trouble === 'none' && !random.chance(faults.rpcFailure)) {
      const isSlow = random.chance(SLOW_SHARE)
      return isSlow ? () => timeline.sleep(random.between(1, 20)) : undefined
    }
    const isLimited = trouble === 'limited' || (trouble === 'none' && random.chance(0.5))
    const ms = trouble === 'silent' ? TIMEOUT_MS : random.between(1, 500)
    return async () => {
      await timeline.sleep(ms)
      if (!isLimited) throw new Error('the node does not answer')
      throw random.chance(0.5) ? new world.code.NodeStatusError(429) : new world.code.NodeBusyError('a call')
    }
  }
  const reply = (isAlive: () => boolean, answers: () => unknown): Promise<unknown> => {
    const delay = findDelay()
    if (delay) return guarded(isAlive, () => delay().then(answers))
    return new Promise((resolve) => resolve(answers()))
  }
  const rpcFor = (isAlive: () => boolean): JsonRpc => {
    // Of one process: before it has taken one nobody can know that it is not the batch that it refuses.
    let longestTaken = 0
    const answerAll = (calls: readonly RpcCall[]) => {
      if (calls.length > batchLimit) throw new world.code.NoBatchError()
      if (calls.length <= longestTaken && random.chance(faults.barred)) throw new world.code.NoBatchError(403)
      const view = look()
      const answers = calls.map((call) => answer(view, call))
      longestTaken = Math.max(longestTaken, calls.length)
      return answers
    }
    return {
      call: (method, params) => reply(isAlive, () => answer(look(), [method, params])),
      batch: (calls) => reply(isAlive, () => answerAll(calls)) as Promise<unknown[]>,
    }
  }
  return {
    rpcFor,
    setTrouble(next) {
      trouble = next
    },
    isOut: () => trouble !== 'none',
    freeze() {
      frozenAtMs ??= timeline.now()
    },
    heal() {
      trouble = 'none'
      frozenAtMs = undefined
      lagMs = Math.min(lagMs, KEPT_LAG_MS)
      keepsBlocks = Number.POSITIVE_INFINITY
      isForgetful = false
    },
  }
}

/** A node may be this far behind and still be well. */
const KEPT_LAG_MS = 2_000
