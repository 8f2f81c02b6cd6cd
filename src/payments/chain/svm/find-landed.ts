import { z } from 'zod'
import { createBoundedCache } from '../../../core/bounded-cache.ts'
import { SECOND_MS } from '../../../core/time/time.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { Life } from './blockhash-life.ts'
import type { MessageHashes } from './message-hashes.ts'

/** What to look for: a transaction with this message, which expires with its blockhash. */
export type Sought = { payer: string; hash: string; blockhash: string; claimedAtMs: number | undefined }
/**
 * The signature of the transaction in which a message landed; undefined where it did not. Throws in doubt, and while
 * there is more to search: then the next call goes on from there. `upToSlot`: "did not" decides something, as it does
 * once the blockhash has expired, and must hold up to that slot. Then the whole list counts, of a machine that has come
 * so far (behind one address there may be one that has not), and of a node that still has that time.
 */
export type FindLanded = (sought: Sought, life: Life, upToSlot?: number) => Promise<string | undefined>

/** The most that nodes return at once; some return less. */
const PAGE_SIZE = 1_000
/** Of one call. */
const PAGE_LIMIT = 20
const READ_LIMIT = 400
const CONCURRENT_READS = 8
/** A blockhash lives for about a minute, or a few when slots are slow, and it lived when its payment was claimed. */
const LANDS_BEFORE_CLAIM_S = 300
const LANDS_AFTER_CLAIM_S = 900
const REMEMBERED = 1_000

const Page = z.array(
  z.object({
    signature: z.string(),
    slot: z.int(),
    err: z.unknown(),
    blockTime: z.int().nullish(),
  }),
)
type Entry = z.infer<typeof Page>[number]
type Search = {
  isGone: boolean
  isLastWord: boolean
  before: string | undefined
  /** The machine that answers must have come so far. */
  minSlot: number | undefined
}
/** Seconds between which it can have landed. */
type Span = { fromS: number; toS: number }

/** Searches the payer's transactions, newest first. Their id is the fee payer's signature, which we cannot know before. */
export function createFindLanded(rpc: JsonRpc, hashes: MessageHashes): FindLanded {
  const searches = createBoundedCache<string, Search | undefined>({ capacity: REMEMBERED })
  return async ({ payer, hash, claimedAtMs }, { floorSlot, goneAtSlot }, upToSlot = goneAtSlot) => {
    const span = spanOf(claimedAtMs)
    const search = resumed(searches.get(hash), goneAtSlot !== undefined, upToSlot)
    searches.set(hash, search)
    const { isLastWord } = search
    const reads = { left: READ_LIMIT }
    for (let page = 0; page < PAGE_LIMIT && reads.left > 0; page++) {
      const entries = await readPage(rpc, payer, search)
      const inside = entries.filter((entry) => entry.slot >= floorSlot && isWithin(entry, span))
      const succeeded = inside.filter(({ err }) => err === null).map(({ signature }) => signature)
      const found = await findAmong(succeeded, hash, hashes, reads)
      const oldest = entries.at(-1)
      const isPast = oldest !== undefined && (oldest.slot < floorSlot || isBefore(oldest, span))
      // For the last word only an empty page is the end of the list: a node may return less than was asked for.
      const isEnd = oldest === undefined || (!isLastWord && entries.length < PAGE_SIZE)
      if (found !== undefined || isPast || isEnd) {
        searches.set(hash, undefined)
        if (found === undefined && isLastWord) await checkPast(rpc, floorSlot, span)
        return found
      }
      search.before = oldest.signature
      // One that does not know the last entry returns an empty page, as if the list had ended.
      if (isLastWord) search.minSlot = Math.max(search.minSlot ?? 0, oldest.slot)
    }
    throw new Error('the payer has many transactions; the search among them goes on')
  }
}

/** What was searched before the blockhash had expired, or before it decided anything, says nothing about what landed later. */
function resumed(search: Search | undefined, isGone: boolean, upToSlot: number | undefined): Search {
  const isLastWord = upToSlot !== undefined
  const isSame = search?.isGone === isGone && search.isLastWord === isLastWord
  return isSame ? search : { isGone, isLastWord, before: undefined, minSlot: upToSlot }
}

const spanOf = (claimedAtMs: number | undefined): Span =>
  claimedAtMs === undefined
    ? { fromS: Number.NEGATIVE_INFINITY, toS: Number.POSITIVE_INFINITY }
    : {
        fromS: claimedAtMs / SECOND_MS - LANDS_BEFORE_CLAIM_S,
        toS: claimedAtMs / SECOND_MS + LANDS_AFTER_CLAIM_S,
      }

/** An entry without a time may be the one. */
const isWithin = (entry: Entry, span: Span) =>
  !isBefore(entry, span) && !(entry.blockTime != null && entry.blockTime > span.toS)
const isBefore = ({ blockTime }: Entry, { fromS }: Span) => blockTime != null && blockTime < fromS

async function readPage(rpc: JsonRpc, payer: string, { before, minSlot }: Search): Promise<Entry[]> {
  const options = {
    limit: PAGE_SIZE,
    commitment: 'confirmed',
    ...(before !== undefined && { before }),
    ...(minSlot !== undefined && { minContextSlot: minSlot }),
  }
  return Page.parse(await rpc.call('getSignaturesForAddress', [payer, options]))
}

/** Throws where the node has forgotten the time of the payment: its list ends, and says nothing. */
async function checkPast(rpc: JsonRpc, floorSlot: number, { fromS }: Span): Promise<void> {
  const first = z.int().parse(await rpc.call('getFirstAvailableBlock', []))
  if (first <= floorSlot) return
  const timeS = z
    .int()
    .nullable()
    .parse(await rpc.call('getBlockTime', [first]))
  if (timeS === null || timeS > fromS) throw new Error('the node no longer has the transactions of that time')
}

async function findAmong(
  signatures: readonly string[],
  hash: string,
  hashes: MessageHashes,
  reads: { left: number },
): Promise<string | undefined> {
  for (let from = 0; from < signatures.length; from += CONCURRENT_READS) {
    if (reads.left <= 0) throw new Error('the payer has many transactions; the search among them goes on')
    const some = signatures.slice(from, from + CONCURRENT_READS)
    reads.left -= some.filter((signature) => !hashes.knows(signature)).length
    const landed = await Promise.all(some.map((signature) => hashes.landed(signature)))
    // Listed as landed but not available: it might be the one.
    if (landed.includes(undefined)) throw new Error('the node lists a transaction that it does not return')
    const at = landed.indexOf(hash)
    if (at >= 0) return some[at]
  }
  return undefined
}
