import type { Clock } from '../../core/time/clock.ts'
import { createBatches } from '../rules/batches.ts'
import { contractPart } from '../rules/path-parts.ts'
import { UpstreamError } from '../upstream.ts'
import { type DexScreener, MAX_ADDRESSES } from './client.ts'
import type { DexPair } from './wire.ts'

/** How long the first of a batch waits for others. */
const GATHER_MS = 10
/**
 * A fifth of what the provider allows, spread evenly. Whoever asks for random tokens without paying uses up this, and
 * the markets of tokens that are sold go on being read.
 */
const ALLOWANCE = { burst: 10, perSecond: 1 }
/** Those who wait for an answer before they are asked to pay wait hardly longer. */
const MAX_WAIT_MS = 1_200
/** Addresses that wait or are asked for; more are refused at once. */
const MAX_WAITING = 600
/** A reply has at most about this many pairs: one that is so long may leave tokens out. */
const FULL_REPLY_PAIRS = 30
/** Requests for one batch: what is then not settled is refused. */
const MAX_REQUESTS = 8

/** Pairs by token, for many callers at the same time. */
export type PairsByToken = {
  /** Pairs of the token, not always all of them; none where DexScreener does not know it. Rejects with `UpstreamError`. */
  pairsOf(address: string): Promise<readonly DexPair[]>
}

type Asked = PromiseWithResolvers<readonly DexPair[]>

/** Callers that ask for single tokens at about the same time share requests for up to 30 of them. */
export function createBatchedPairs({
  clock,
  tokensV1,
}: { clock: Clock } & Pick<DexScreener, 'tokensV1'>): PairsByToken {
  const asked = new Map<string, Asked>()

  const settle = (address: string, end: (asked: Asked) => void) => {
    const each = asked.get(address)
    asked.delete(address)
    if (each) end(each)
  }
  const send = async (batch: readonly string[]) => {
    try {
      for await (const { address, pairs, fault } of readBatch(batch, tokensV1, batches.takeOneMore))
        settle(address, ({ resolve, reject }) => (fault ? reject(fault) : resolve(pairs)))
    } catch (error) {
      for (const address of batch) settle(address, ({ reject }) => reject(error))
    }
  }
  const batches = createBatches({
    ...{ clock, size: MAX_ADDRESSES, gatherMs: GATHER_MS, allowance: ALLOWANCE, maxWaitMs: MAX_WAIT_MS },
    send: (batch) => void send(batch),
  })
  return {
    async pairsOf(given) {
      const address = contractPart(given)
      const same = asked.get(address)
      if (same) return same.promise
      if (asked.size >= MAX_WAITING || !batches.add(address))
        throw new UpstreamError('busy', 'too many tokens are being looked up')
      const each: Asked = Promise.withResolvers()
      asked.set(address, each)
      return each.promise
    },
  }
}

type Settled = { address: string; pairs: readonly DexPair[]; fault?: UpstreamError }

/** Each address once it is settled. Those that a long or damaged reply lacks are asked for again. */
async function* readBatch(
  batch: readonly string[],
  tokensV1: DexScreener['tokensV1'],
  mayRepeat: () => boolean,
): AsyncGenerator<Settled> {
  const open: (readonly string[])[] = [batch]
  for (let requests = 0; ; requests++) {
    const addresses = open.shift()
    if (!addresses) return
    if (requests === MAX_REQUESTS || (requests > 0 && !mayRepeat()))
      throw new UpstreamError('busy', 'too many pairs to find all tokens')
    const { pairs, rows, skipped } = await tokensV1(addresses)
    const isWhole = skipped.count === 0 && rows < FULL_REPLY_PAIRS
    const missing: string[] = []
    for (const address of addresses) {
      const own = pairs.filter(({ base, quote }) => base.address === address || quote.address === address)
      if (own.length > 0 || isWhole) yield { address, pairs: own }
      else missing.push(address)
    }
    const [first] = missing
    if (first === undefined) continue
    if (addresses.length === 1) {
      const fault = new UpstreamError('malformed', skipped.reasons[0] ?? 'pairs of other tokens')
      yield { address: first, pairs: [], fault }
      continue
    }
    const isShorter = missing.length < addresses.length
    const half = Math.ceil(missing.length / 2)
    open.push(...(isShorter ? [missing] : [missing.slice(0, half), missing.slice(half)]))
  }
}
