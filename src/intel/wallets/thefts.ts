import { MINUTE_MS } from '../../core/time/time.ts'
import type { Movement } from './movements.ts'

/** A thief takes everything at once. */
const TAKEN_WITHIN_MS = 60 * MINUTE_MS
const TAKEN_TOKENS = 2
/** Whoever signs payments pays less than this, or keeps more than he pays. */
const TAKEN_FROM_USD = 100
/** A swap that somebody else carries out brings back about what it takes. */
const REPAID_SHARE = 0.5

type Input = {
  movements: readonly Movement[]
  /** Approvals that count, to spenders that nobody vouches for. */
  open: readonly { token: string; spender: string }[]
  /** What the wallet still has. */
  unitsOf(token: string): bigint
  isTrusted(address: string): boolean
}
/** By address. `takers` look like thieves; `unasked` got much of one token in a transaction that the wallet did not send. */
export type Thefts = { takers: ReadonlySet<string>; unasked: ReadonlySet<string> }

export function findThefts({ movements, open, unitsOf, isTrusted }: Input): Thefts {
  const spenders = new Set(open.map(({ spender }) => spender))
  const approved = new Set(open.map(({ token }) => token))
  const paid = new Set(movements.filter(isOwnPayment).map(({ counterparty }) => counterparty))
  const byHash = Map.groupBy(movements, ({ hash }) => hash)
  const gone = movements.filter(
    (one) => isGone(one) && !isTrusted(one.counterparty) && !isExplained(one, byHash.get(one.hash) ?? []),
  )
  const [takers, unasked] = [new Set<string>(), new Set<string>()]
  for (const [address, taken] of Map.groupBy(gone, ({ counterparty }) => counterparty)) {
    const foreign = taken.filter(({ isOwn }) => isOwn === false)
    const much = muchOf(foreign, unitsOf)
    const one = paid.has(address) ? [] : much
    const isLoot = much.length > 0 && tookSeveral(foreign)
    if (
      isLoot ||
      (spenders.has(address) && tookSeveral(taken)) ||
      one.some(({ token }) => approved.has(token))
    )
      takers.add(address)
    else if (one.length > 0) unasked.add(address)
  }
  return { takers, unasked }
}

const isOwnPayment = ({ direction, isOwn }: Movement): boolean => direction === 'out' && isOwn === true

const isGone = ({ direction, isVerified, isOwn, isEther }: Movement): boolean =>
  direction === 'out' && isVerified && isOwn !== true && !isEther

/** An authorization is for one token: a method of that name that moves several is something else. */
const isExplained = ({ isAuthorized }: Movement, ofTransaction: readonly Movement[]): boolean =>
  isRepaid(ofTransaction) || (isAuthorized && new Set(ofTransaction.map(({ token }) => token)).size === 1)

function isRepaid(ofTransaction: readonly Movement[]): boolean {
  const usdOf = (direction: Movement['direction']) =>
    ofTransaction
      .filter((one) => one.direction === direction && one.isVerified)
      .reduce((sum, { usd }) => sum + (usd ?? 0), 0)
  const cameUsd = usdOf('in')
  return cameUsd > 0 && cameUsd >= usdOf('out') * REPAID_SHARE
}

/** Of each transaction and token, where at least half of what there was went, and it was worth something. */
function muchOf(foreign: readonly Movement[], unitsOf: Input['unitsOf']): readonly Movement[] {
  const groups = Map.groupBy(foreign, ({ hash, token }) => `${hash}/${token}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    const units = group.reduce((sum, one) => sum + one.units, 0n)
    const usd = group.reduce((sum, one) => sum + (one.usd ?? 0), 0)
    return first && usd >= TAKEN_FROM_USD && units >= unitsOf(first.token) ? [first] : []
  })
}

/** Different tokens shortly after each other. */
function tookSeveral(taken: readonly Movement[]): boolean {
  return taken.some(({ atMs }) => {
    const near = taken.filter((one) => one.atMs <= atMs && atMs - one.atMs <= TAKEN_WITHIN_MS)
    return new Set(near.map(({ token }) => token)).size >= TAKEN_TOKENS
  })
}
