import type { Seen } from './leaves.ts'
import { canonical, isSigned } from './proofs.ts'
import {
  type Claim,
  COINS,
  isMode,
  REVEAL_WITHIN_S,
  type Sent,
  STALE_S,
  shown,
  timeOf,
  WINDOW_S,
} from './sent.ts'

/** A head or an anchor of the leaves so far; `kind` is that of the last of them. */
export function checkWitness(seen: Seen, given: Sent, saved: Sent, kind: string, claim: Claim) {
  const { tree, keyIds } = seen
  const name = given.tx
    ? `anchor ${shown(given.tx)}`
    : given === saved
      ? 'the saved head'
      : `head ${tree.size}`
  claim(
    given.root_hash === tree.root(),
    `history was rewritten: ${name} is of other leaves than these ${tree.size}`,
  )
  if (given.tx) return void seen.anchors.push(given)
  const { signature, ...said } = given
  if (keyIds.length === 0) keyIds.push(given.key_id)
  claim(
    given.key_id === keyIds.at(-1) && isSigned(given.key_id, 'tollbook-record-head-v1', said, signature),
    `${name} is not signed with the key of the record`,
  )
  if (seen.mode === undefined)
    claim(
      given.mode === undefined || isMode(given.mode),
      `the mode ${shown(given.mode)} is none that is known`,
    )
  if (seen.mode === undefined) seen.mode = given.mode
  claim(
    given.mode === seen.mode,
    `${name} is of the mode ${shown(given.mode)}, what stands before it of ${shown(seen.mode)}`,
  )
  if (given === saved) return
  const atMs = timeOf(given.timestamp)
  claim(atMs >= seen.lastMs, `${name} is older than its leaves`)
  for (const startS of seen.fresh)
    claim(atMs < startS * 1000, `${name} came after the window ${shown(startS)} had opened`)
  // A change of the key, made while the service stands still, does not go on with the windows.
  if (kind !== 'key') seen.endMs = atMs
  Object.assign(seen, {
    lastMs: Math.max(seen.lastMs, atMs || 0),
    fresh: [],
    head: given,
    heads: seen.heads + 1,
    unstated: seen.unstated + (given.mode === undefined ? 1 : 0),
  })
}

/** What must be true at the end, where `page` is the last one. */
export function checkEnd(
  { tree, rows, next, keyIds, changes, head, endMs }: Seen,
  page: Sent,
  saved: Sent,
  nowMs: number | undefined,
  claim: Claim,
) {
  const seenS = Math.min(...COINS.map((coin) => next[coin] ?? 0))
  if (rows.size > 0)
    claim(
      seenS === next.BTC && seenS * 1000 >= endMs - 2 * WINDOW_S * 1000,
      `windows are missing from ${shown(seenS)} on`,
    )
  for (const { id, kind, window_start } of rows.values())
    claim(
      kind !== 'commit' || endMs <= (window_start + WINDOW_S + REVEAL_WITHIN_S) * 1000,
      `${shown(id)} was never revealed`,
    )
  claim(
    (head?.tree_size ?? 0) === tree.size,
    `the leaves from ${shown(head?.tree_size ?? 0)} on are under no signed head`,
  )
  claim(
    canonical(page?.head ?? null) === canonical(head ?? null),
    'the newest head is published as another than the last one over the leaves',
  )
  claim(
    !saved || saved.tree_size <= tree.size,
    `history was rewritten: ${tree.size} leaves are fewer than those of the saved head`,
  )
  claim(
    !nowMs || !rows.size || Math.abs(nowMs - endMs) <= STALE_S * 1000,
    `the record ends at ${new Date(endMs || 0).toISOString()}`,
  )
  const former = changes.map((leaf) => ({
    key_id: leaf.old_key_id,
    until: leaf.changed_at,
    replaced_by: leaf.new_key_id,
    reason: leaf.reason,
  }))
  const isPublished =
    page?.key_id === keyIds.at(-1) && canonical(page?.former_keys ?? former) === canonical(former)
  claim(!tree.size || isPublished, 'the keys are published as others than those that signed')
}
