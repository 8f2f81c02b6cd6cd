import { canonical, createTree, hash, isSigned } from './proofs.ts'
import { type Claim, COINS, type Sent, shown, TAKE_BACK_S, timeOf, WINDOW_S } from './sent.ts'

/** What must be true of a leaf after what stood of its entry before, where `dueS` is the coin's next window. */
function checkLeaf(leaf: Sent, before: Sent, dueS: number, atMs: number, claim: Claim) {
  const { kind, id, coin, window_start: startS, prediction: said, salt, open, close, reason } = leaf
  const [isStanding, lateS] = [before?.kind === 'commit', atMs / 1000 - startS]
  claim(
    COINS.includes(coin) && Number.isSafeInteger(startS) && id === `${coin}-${startS}`,
    'is not a valid entry',
  )
  if (kind !== 'reveal') {
    const isTakenBack =
      isStanding && kind === 'missed' && reason === 'late' && lateS >= 0 && lateS <= TAKE_BACK_S
    claim(
      before ? isTakenBack : startS === dueS,
      `appears twice or was taken back too late, or ${shown(coin)}-${shown(dueS)} is missing`,
    )
    return void claim(
      kind === 'commit' ? lateS < 0 : kind === 'missed' && Boolean(reason),
      'was not committed before its window',
    )
  }
  const seal = hash(Buffer.from(canonical({ prediction: said, salt }))).toString('hex')
  const isKnown = Boolean(open && close && open.price_kind === close.price_kind)
  const outcome = !isKnown ? 'unknown' : close.price >= open.price ? 'UP' : 'DOWN'
  const isOf = (price: Sent, atS: number) =>
    !price ||
    (typeof price.price === 'number' && price.price > 0 && Math.floor(timeOf(price.at) / 1000) === atS)
  claim(
    isStanding && before.commitment === seal && salt.length === 64,
    'is not what was committed, or is revealed twice',
  )
  claim(said.coin === coin && said.window_start === startS, 'is a prediction of another window')
  claim(timeOf(said.as_of) < startS * 1000, 'was predicted after its window opened')
  claim(
    typeof said.probability_up === 'number' &&
      said.probability_up >= 0 &&
      said.probability_up <= 1 &&
      typeof said.abstain === 'boolean',
    'has no probability',
  )
  claim(
    said.direction === (said.probability_up >= 0.5 ? 'UP' : 'DOWN'),
    'has a direction that contradicts its probability',
  )
  claim(lateS >= WINDOW_S, 'is revealed before its window closed')
  claim(isOf(open, startS) && isOf(close, startS + WINDOW_S), 'has prices of other seconds')
  claim(leaf.outcome === outcome && !reason === isKnown, `came out ${outcome}, not ${shown(leaf.outcome)}`)
  claim(leaf.hit === (isKnown ? outcome === said.direction : null), `cannot have hit: ${shown(leaf.hit)}`)
}

/** What must be true of a change of the key after `keyIds` signed in turn, the last of them until now. */
function checkKeyChange(leaf: Sent, { keyIds, changes, tree }: Seen, claim: Claim) {
  const { old_signature, new_signature, ...change } = leaf
  const { id, reason, old_key_id: oldId, new_key_id: newId } = change
  const signs = (keyId: string, signature: string) =>
    isSigned(keyId, 'tollbook-record-key-v1', change, signature)
  const isHere = change.tree_size === tree.size && change.root_hash === tree.root()
  claim(id === `key-${changes.length + 1}` && isHere, 'is a change of the key of another record or place')
  claim(oldId === (keyIds.at(-1) ?? oldId), 'replaces another key than the one that signed so far')
  claim(newId !== oldId && !keyIds.includes(newId), 'brings back a key that was replaced')
  claim(signs(newId, new_signature), 'is not signed by the new key')
  claim(
    reason === 'rotated' ? signs(oldId, old_signature) : reason === 'lost' && old_signature === null,
    'is not signed by the old key',
  )
}

/** What was gone through so far. */
export type Seen = ReturnType<typeof createSeen>
export const createSeen = () => ({
  untrue: [] as string[],
  tree: createTree(),
  rows: new Map<string, Sent>(),
  anchors: [] as Sent[],
  /** Every key that signed, in turn, and the leaves that changed it. */
  keyIds: [] as string[],
  changes: [] as Sent[],
  head: undefined as Sent,
  heads: 0,
  mode: undefined as Sent,
  unstated: 0,
  /** Windows without a head over their commitment; the next window of each coin. */
  fresh: [] as number[],
  next: {} as Record<string, number>,
  /** Of the last leaf or head, and of the last head that went on with the windows. */
  lastMs: 0,
  endMs: 0,
})

export function enterLeaf(seen: Seen, leaf: Sent, claim: Claim) {
  const { rows, next, tree, keyIds } = seen
  const { id, coin, kind, window_start: startS } = leaf
  const [before, atMs] = [
    rows.get(id),
    timeOf(leaf.committed_at ?? leaf.missed_at ?? leaf.revealed_at ?? leaf.changed_at),
  ]
  const claimOf: Claim = (isTrue, text) => claim(isTrue, `leaf ${tree.size}: ${shown(id)} ${text}`)
  claimOf(atMs >= seen.lastMs, 'is older than what it follows')
  if (kind === 'key') {
    checkKeyChange(leaf, seen, claimOf)
    keyIds.push(...(keyIds.length ? [] : [leaf.old_key_id]), leaf.new_key_id)
    seen.changes.push(leaf)
  } else {
    next.first ??= startS
    checkLeaf(leaf, before, next[coin] ?? Number(next.first), atMs, claimOf)
    rows.set(id, { ...before, ...leaf, kind: before && kind === 'missed' ? 'late' : kind, salt: '' })
    if (!before) next[coin] = startS + WINDOW_S
    if (kind === 'commit') seen.fresh.push(startS)
  }
  seen.lastMs = Math.max(seen.lastMs, atMs || 0)
  tree.add(leaf)
}
